"""Addresses that a site once had: which are dead, and where their pages went."""
