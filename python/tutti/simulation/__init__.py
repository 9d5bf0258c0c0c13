"""tutti simulate: algorithms on machines that are not here."""
