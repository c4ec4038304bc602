"""What stands at a place of a document, and what may stand there. Nothing here knows LSP.

A feature makes one `Cursor` for its request. The modules beside it find what it answers, each from the part of the
document at the place, so the place is looked up once.
"""
