"""The file formats of replays and boards, one module each."""
