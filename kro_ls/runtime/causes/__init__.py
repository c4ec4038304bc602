"""Why an instance in a cluster is stuck, by its objects and what kro writes in their conditions."""
