"""Collections as the proposal KREP-2 had them, before kro 0.8 brought `forEach` in another form.

A `forEach` is one `${...}` that gives a list or a map, and `each` is what stands at one place of it. kro has never
taken this form; people find it in the first text of the proposal. Other rooms see it as the
`collection` of a resource, a `CollectionForm`.
"""
