"""Rules for those who watch logs and metrics."""
