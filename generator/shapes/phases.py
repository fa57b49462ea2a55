"""Which phase of a job a traceback shows: files of a library that are entered in one phase alone."""

from __future__ import annotations

PHASES = {
    "torch/autograd/__init__.py": "backward",
    "torch/optim/": "optimizer",
}
"""Part of a frame's path to a phase of the entries' schema."""
