"""Who owns what, what was approved, and how reality differs from it.

`load` reads the files, `guess` steps in where there are none, `named` says what they name, `bind` gives every node its owners,
`approvals` what was approved, `compare` the differences. Each is the function of the module of its name.
"""
