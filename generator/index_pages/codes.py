"""Entry -> the codes it names: exit codes, signals, Xid numbers, status names, errno.

Reads titles, other names, templates, samples and conditions; never guesses a code that no entry writes. What a number
is called is said by the small tables below, which name their source.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from generator.model import Entry

# signal(7), Linux on x86 and Arm.
SIGNALS = {
    1: "SIGHUP", 2: "SIGINT", 3: "SIGQUIT", 4: "SIGILL", 5: "SIGTRAP", 6: "SIGABRT", 7: "SIGBUS", 8: "SIGFPE",
    9: "SIGKILL", 10: "SIGUSR1", 11: "SIGSEGV", 12: "SIGUSR2", 13: "SIGPIPE", 14: "SIGALRM", 15: "SIGTERM",
    17: "SIGCHLD", 18: "SIGCONT", 19: "SIGSTOP", 23: "SIGURG", 24: "SIGXCPU", 25: "SIGXFSZ", 31: "SIGSYS",
}  # fmt: skip
# errno(3) and the kernel's asm-generic/errno-base.h and errno.h.
ERRNO = {
    1: "EPERM", 2: "ENOENT", 3: "ESRCH", 4: "EINTR", 5: "EIO", 7: "E2BIG", 9: "EBADF", 11: "EAGAIN", 12: "ENOMEM",
    13: "EACCES", 14: "EFAULT", 16: "EBUSY", 17: "EEXIST", 18: "EXDEV", 19: "ENODEV", 20: "ENOTDIR", 21: "EISDIR",
    22: "EINVAL", 23: "ENFILE", 24: "EMFILE", 26: "ETXTBSY", 27: "EFBIG", 28: "ENOSPC", 30: "EROFS", 32: "EPIPE",
    36: "ENAMETOOLONG", 39: "ENOTEMPTY", 98: "EADDRINUSE", 99: "EADDRNOTAVAIL", 100: "ENETDOWN", 101: "ENETUNREACH",
    103: "ECONNABORTED", 104: "ECONNRESET", 107: "ENOTCONN", 110: "ETIMEDOUT", 111: "ECONNREFUSED",
    112: "EHOSTDOWN", 113: "EHOSTUNREACH", 115: "EINPROGRESS", 116: "ESTALE", 121: "EREMOTEIO", 122: "EDQUOT",
}  # fmt: skip
# ncclResult_t in nccl.h.
NCCL = (
    "ncclUnhandledCudaError", "ncclSystemError", "ncclInternalError", "ncclInvalidArgument", "ncclInvalidUsage",
    "ncclRemoteError", "ncclInProgress", "ncclTimeout",
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A family of codes."""

    id: str
    heading: str
    note: str
    source: str = ""
    """Where the names beside the numbers come from."""


KINDS = (
    Kind(id="exit", heading="Exit codes", note="What a launcher, scheduler or shell says a process ended with."),
    Kind(id="signal", heading="Signals", note="What ended the process from outside.", source="signal(7)"),
    Kind(id="xid", heading="Xid errors", note="Numbers the NVIDIA driver writes to the kernel log."),
    Kind(id="cuda", heading="CUDA errors", note="Names of the CUDA runtime and driver API."),
    Kind(id="cublas", heading="cuBLAS statuses", note="Names of the cuBLAS library."),
    Kind(id="cudnn", heading="cuDNN statuses", note="Names of the cuDNN library."),
    Kind(id="cusolver", heading="cuSOLVER statuses", note="Names of the cuSOLVER library."),
    Kind(id="nccl", heading="NCCL results", note="Names of the NCCL library.", source="nccl.h"),
    Kind(id="errno", heading="System errors (errno)", note="Numbers and names of the C library.", source="errno(3)"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Code:
    """One code, as a reader would search for it."""

    kind: str
    text: str
    """As it is written: `137`, `SIGKILL`, `CUBLAS_STATUS_ALLOC_FAILED`."""
    also: str = ""
    """The other way to write it, from the tables: the number of a name, the signal behind an exit code."""
    rank: int = 0
    """Numbers sort by their value, names by their spelling."""

    @property
    def anchor(self) -> str:
        """Name the code's place on the page: `exit-137`, `exit-minus-9`, `sigkill`, `cublas-status-alloc-failed`."""
        name = self.text.lower().replace("-", "minus-").replace("_", "-")
        return name if self.text[0].isalpha() else f"{self.kind}-{name}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Mention:
    """A code and the signature of the entry that names it; the entry itself when no signature does."""

    code: Code
    k: int | None


_NAMES = {
    "cuda": re.compile(r"\bcudaError[A-Z][A-Za-z]+\b|\bCUDA_ERROR_[A-Z_]+\b"),
    "cublas": re.compile(r"\bCUBLAS_STATUS_[A-Z_]+\b"),
    "cudnn": re.compile(r"\bCUDNN_STATUS_[A-Z_]+\b"),
    "cusolver": re.compile(r"\bCUSOLVER_STATUS_[A-Z_]+\b"),
    "nccl": re.compile(rf"\b(?:{'|'.join(NCCL)})\b"),
    "signal": re.compile(rf"\b(?:{'|'.join(SIGNALS.values())})\b"),
    "errno": re.compile(rf"\b(?:{'|'.join(ERRNO.values())})\b"),
}
_NUMBERS = (
    ("xid", re.compile(r"\bxid(?: \([^)\n]*\))?:? (\d{1,3})\b", re.IGNORECASE)),
    ("exit", re.compile(r"\bexit(?:ed with)?[ _]?(?:code|status)\)?\s*[:=]?\s*(-?\d{1,3})\b", re.IGNORECASE)),
    ("signal", re.compile(r"\bsignal:? (\d{1,2})\b", re.IGNORECASE)),
    ("signal", re.compile(r"\b(\d{1,2}) death signal\b")),
    ("errno", re.compile(r"\berrno:? (\d{1,3})\b", re.IGNORECASE)),
)
_CAPTURED = ("xid", "signal", "exit", "errno")
"""Kinds whose number a signature may capture, under a name that holds the kind's."""


def mentions(entry: Entry) -> Iterator[Mention]:
    """Yield every code the entry names, signatures first, so that a link can lead to the line itself."""
    for signature in entry.signatures:
        for wording in signature.wordings:
            for text in (wording.template, *(sample.line for sample in wording.samples)):
                yield from (Mention(code=code, k=signature.k) for code in codes_in(text))
        for capture, accepted in (signature.when or {}).items():
            kind = next((kind for kind in _CAPTURED if kind in capture.lower()), None)
            if kind and isinstance(accepted, list | tuple):
                yield from (Mention(code=code, k=signature.k) for value in accepted if (code := _code(kind, value)))
    for text in (entry.title, *entry.also_known_as):
        yield from (Mention(code=code, k=None) for code in codes_in(text))


def codes_in(text: str) -> Iterator[Code]:
    """Yield the codes written in a text.

    >>> [code.anchor for code in codes_in("exitcode: -9 (pid: 7), Signal 9 (SIGKILL)")]
    ['sigkill', 'exit-minus-9', 'sigkill']
    """
    for kind, pattern in _NAMES.items():
        yield from (code for name in pattern.findall(text) if (code := _code(kind, name)))
    for kind, pattern in _NUMBERS:
        yield from (code for number in pattern.findall(text) if (code := _code(kind, int(number))))


def _code(kind: str, value: int | str) -> Code | None:
    """Give a number or name its one form; exit code 0 is no failure."""
    if kind in ("signal", "errno"):
        return _named(kind, value)
    if isinstance(value, str):
        return None if kind in ("exit", "xid") and not value.lstrip("-").isdigit() else Code(kind=kind, text=value)
    if kind == "exit":
        return Code(kind=kind, text=str(value), also=_ended_by(value), rank=value % 1000) if value else None
    return Code(kind=kind, text=str(value), rank=value)


def _named(kind: str, value: int | str) -> Code | None:
    table = SIGNALS if kind == "signal" else ERRNO
    by_name = {name: number for number, name in table.items()}
    number = value if isinstance(value, int) else by_name.get(value)
    if number is None:
        return None
    name = table.get(number)
    return Code(kind=kind, text=name or str(number), also=str(number) if name else "", rank=number)


def _ended_by(code: int) -> str:
    """Say which signal an exit code stands for: a shell adds 128, Python makes it negative."""
    name = SIGNALS.get(code - 128 if code > 128 else -code)
    return f"ended by {name}" if name else ""
