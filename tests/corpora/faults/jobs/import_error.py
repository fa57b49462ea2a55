"""Every rank lacks a module."""

import loop

loop.planted("import_error", all_ranks=True)
import fused_attention_kernels  # noqa: E402

loop.join()
loop.train(fused_attention_kernels.fetch)
