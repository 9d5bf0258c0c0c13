"""tutti hang: which ranks a hanging job waits for, what each called last, and where."""
