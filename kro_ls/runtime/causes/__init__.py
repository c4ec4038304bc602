"""Why an instance in a cluster does not go on: from its objects and what kro writes in their conditions."""
