"""What the player sees and asks for: faces, mouse, keys, themes and words, free of any toolkit."""
