"""The issue bot: says on an issue which known failure its text shows, and nothing else."""
