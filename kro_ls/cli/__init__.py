"""The command line: one module per command, each thin over the rooms below. Only this room knows terminals."""
