"""Every rank is told to use a network interface that is not there."""

import loop

loop.planted("bad_interface", all_ranks=True)
loop.join()
loop.train()
