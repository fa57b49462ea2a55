"""Nothing goes wrong."""

import loop

loop.join()
loop.train()
