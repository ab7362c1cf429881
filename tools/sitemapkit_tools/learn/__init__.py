"""Learning from a site's history when each page last showed something else."""
