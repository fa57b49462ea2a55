"""A log as a machine wrote it -> the same log without the machine: lines and their shape stay as they are."""

from __future__ import annotations

import getpass
import platform
import re
import socket
import sys
import sysconfig
from datetime import datetime, timedelta
from pathlib import Path

INDEX = re.compile(rb"https?://[A-Za-z0-9.-]*(?:pypi|pythonhost|npmjs|debian)[A-Za-z0-9.-]*(?::[0-9]+)?")


def scrub(data: bytes, places: dict[str, str]) -> bytes:
    """Replace the given paths, this machine's own, its names and addresses, and the hosts that packages come from."""
    known = {
        **places,
        sysconfig.get_config_var("installed_base"): "/opt/python",
        str(Path.home()): "/home/user",
    }
    for path in sorted(known, key=len, reverse=True):
        data = re.sub(re.escape(path.encode()) + rb"(?![A-Za-z0-9_])", known[path].encode(), data)
    data = data.replace(platform.release().encode(), b"6.1.0")
    data = INDEX.sub(b"https://files.example", data)
    host = re.escape(socket.gethostname().encode())
    data = re.sub(rb"(?<![A-Za-z0-9_/.])(?<!total-)" + host + rb"(?![A-Za-z0-9_/=]|\.[a-z])", b"node-0", data)
    for address in addresses():
        data = re.sub(rb"(?<![0-9a-f.:])" + re.escape(address.encode()) + rb"(?![0-9])", b"10.0.0.1", data)
    return re.sub(rb"(?<=torchinductor_)" + getpass.getuser().encode() + rb"\b", b"user", data)


def shift_stamps(data: bytes, seconds: int) -> bytes:
    """Put every time of day of a log forward, as if the clock of its machine were wrong.

    >>> shift_stamps(b"2026-12-01 23:59:30,118 - INFO", 45)
    b'2026-12-02 00:00:15,118 - INFO'
    >>> shift_stamps(b"[rank1]:W1201 01:20:30.575000 27", -60)
    b'[rank1]:W1201 01:19:30.575000 27'
    """

    def full(found: re.Match[bytes]) -> bytes:
        at = datetime.strptime(f"{found[1].decode()} {found[3].decode()}", "%Y-%m-%d %H:%M:%S") + timedelta(
            seconds=seconds
        )
        day, clock = at.strftime("%Y-%m-%d %H:%M:%S").encode().split()
        return day + found[2] + clock

    def short(found: re.Match[bytes]) -> bytes:
        month, day = int(found[2][:-2]), int(found[2][-2:])
        at = datetime(2000, month, day) + timedelta(seconds=seconds)
        hours, minutes, rest = (int(part) for part in found[3].split(b":"))
        at += timedelta(hours=hours, minutes=minutes, seconds=rest)
        return b"%s%d%02d %s" % (found[1], at.month, at.day, at.strftime("%H:%M:%S").encode())

    data = re.sub(rb"(\d{4}-\d\d-\d\d)([ _T])(\d\d:\d\d:\d\d)", full, data)
    return re.sub(rb"(?m)(?<![A-Za-z0-9])([EWIF])(\d{3,4}) (\d\d:\d\d:\d\d)(?=\.\d)", short, data)


def addresses() -> set[str]:
    """Give the addresses of this machine that are not loopback."""
    found: set[str] = set()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("198.51.100.1", 9))  # sends nothing: the kernel only picks the address it would send from
        found.add(probe.getsockname()[0])
    return found - {"127.0.0.1"}


if __name__ == "__main__":
    sys.stdout.buffer.write(scrub(sys.stdin.buffer.read(), dict(pair.split("=", 1) for pair in sys.argv[1:])))
