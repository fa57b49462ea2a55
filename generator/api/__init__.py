"""The encyclopedia as data: JSON, feeds, and lists for machines."""
