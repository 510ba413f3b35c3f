"""Why a cell is certain: proofs, explanations, and how hard they are to find."""
