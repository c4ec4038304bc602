"""The long attack: damaged inputs of every kind, against the rooms themselves and against a running server.

`subjects` lists the kinds of attacks within a process; the module of each defines how a random input is made and what
must hold for it. A `worker` is such a process, `session` attacks a server, `main` starts and watches all of them.
Inputs that failed once are stored in `corpus/` and run as a test.
"""
