"""Every rank is told to meet at a host that has no address."""

import loop

loop.planted("bad_address", all_ranks=True)
loop.join()
loop.train()
