"""Answers the admission reviews of an API server: a webhook that says at apply time what `kro-ls check` would say."""
