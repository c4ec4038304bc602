"""Simulates a Graph: its own passes, in the same simulated cluster."""
