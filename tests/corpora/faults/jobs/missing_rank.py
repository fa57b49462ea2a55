"""Not all ranks are started, and those that are wait for the rest in vain."""

import loop

loop.join(8)
loop.train()
