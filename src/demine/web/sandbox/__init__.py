"""Files of strangers, read in processes of their own."""
