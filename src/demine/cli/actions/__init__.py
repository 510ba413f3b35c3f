"""What the verbs do: a module for each whose work needs more than its help."""
