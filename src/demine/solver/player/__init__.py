"""Policies that choose moves, compiled and in plain Python."""
