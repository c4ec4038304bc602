"""The caching engine: functions whose values are kept with what they read, and reused while that is unchanged."""
