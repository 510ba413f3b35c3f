"""What the page is made of: its files, and the assets and sentences that are made for it."""
