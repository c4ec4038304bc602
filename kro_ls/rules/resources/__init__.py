"""The objects of templates and external references."""
