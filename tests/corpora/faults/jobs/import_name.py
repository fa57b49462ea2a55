"""Every rank asks a module for a name that this version does not have."""

import loop

loop.planted("import_error", all_ranks=True)
from torch.optim import AdamW8bitPaged  # noqa: E402

loop.join()
print(AdamW8bitPaged)
