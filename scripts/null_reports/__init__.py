"""Draws experiments of which the truth is known, has the binary report them, and counts what is false there."""
