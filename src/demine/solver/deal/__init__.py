"""Layouts dealt and found, among them those that never need a guess."""
