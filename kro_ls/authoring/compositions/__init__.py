"""Compositions: definitions as typed Python functions of a spec, checked while they run and written as YAML."""
