"""Catalog -> the pages that lead to entries: what `publish` lists them from."""
