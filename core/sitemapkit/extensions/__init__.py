"""What an entry says beyond the protocol's own fields, one module for each extension."""
