"""Gathers definitions of kinds from files, charts, networks and clusters, and keeps them in a folder."""
