"""SimpleSchema: the fields of the instance, their types and markers."""
