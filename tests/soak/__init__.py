"""The long attack: damaged inputs of every kind, against the rooms themselves and against a running server.

`subjects` knows the kinds of attacks within a process: each says in a module of its own how an input is made from
chance and what must hold of it. A `worker` is such a process, `session` attacks a server, `main` starts and watches all
of them. What failed once is kept in `corpus/` and runs as a test.
"""
