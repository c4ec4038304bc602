"""A module per tool: a function of an AgentWorkspace and the arguments, which returns one of the answers."""
