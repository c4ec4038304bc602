"""The status of the instance and its conditions."""
