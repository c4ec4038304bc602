"""The bundled runtime: what kro would make of an instance, told without a cluster.

`render` is one pass over the graph, `cluster` repeats passes against a simulated cluster until nothing changes.
"""
