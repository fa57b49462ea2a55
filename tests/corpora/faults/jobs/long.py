"""A run that goes on until somebody ends it."""

import time

import loop

loop.join(60)
loop.train(lambda step: time.sleep(0.5), steps=400)
