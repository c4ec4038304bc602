"""The user's store: a folder with the definitions that the user has collected."""
