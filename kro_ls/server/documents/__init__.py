"""Open documents: which version is current, and where slow ones are worked on."""
