"""Custom kinds from CustomResourceDefinitions: which there are is found by a scan, the schema when it is asked for."""
