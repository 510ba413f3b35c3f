"""The command line: one module per verb in `verbs`, and what they share."""
