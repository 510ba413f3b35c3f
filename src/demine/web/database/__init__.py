"""The server's database: its tables, its migrations, and the one thread that writes."""
