"""The long attack: damaged inputs of every kind, against the rooms themselves and against a running server.

`subjects` says for each kind how an input is made from chance and what must hold of it, `session` attacks a server,
`main` runs both and watches. What failed once is kept in `corpus/` and runs as a test.
"""
