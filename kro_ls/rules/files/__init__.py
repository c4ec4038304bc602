"""Files beside definitions: instances of their kinds, settings, tests."""
