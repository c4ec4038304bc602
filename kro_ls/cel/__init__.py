"""The Common Expression Language, free of kro: lexer, parser, types, checker, evaluator."""
