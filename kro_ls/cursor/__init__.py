"""What stands at a place of a document, and what may stand there. Nothing here knows LSP.

A feature makes one `Cursor` for its request and asks it; the modules beside it find what it answers, each from the part
of the document that is at the place, and none of them looks for the place again.
"""
