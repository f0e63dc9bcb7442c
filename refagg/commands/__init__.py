"""The command `refagg`: options, files and texts; what it does is done elsewhere."""
