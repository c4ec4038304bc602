"""The pack of well-known kinds as a distribution of its own."""
