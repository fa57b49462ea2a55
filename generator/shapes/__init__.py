"""What launchers, loggers and schedulers put round a message, as data with its own samples; the index carries it."""
