"""What players see and do: faces, mouse, keys, themes and words, independent of any toolkit."""
