"""Programs that are there to be run under a launcher are no tests and are never imported."""

collect_ignore_glob = ["faults/jobs/*", "healthy/programs/*"]
