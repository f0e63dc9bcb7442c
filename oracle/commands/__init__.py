"""The command `oracle`: options, files and texts; what it says is computed elsewhere."""
