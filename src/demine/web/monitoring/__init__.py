"""What whoever runs a server can see of it: its health, its figures and its log."""
