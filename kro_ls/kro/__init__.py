"""kro's dialect as data: what its definitions may say, how they are named, and which CEL they use.

The rooms above ask here and keep no list of their own. The data describes the newest release of kro; each difference
between releases is data with one owner (`versions/`), so that another release is another value and not another branch.
"""
