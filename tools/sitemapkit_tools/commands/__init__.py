"""The commands of the command line, one module each; a module's `command` is the command."""
