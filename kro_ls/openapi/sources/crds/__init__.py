"""Custom kinds from CustomResourceDefinitions: a scan finds the names, and a schema is read when it is asked for."""
