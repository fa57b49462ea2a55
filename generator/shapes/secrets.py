"""What a log may hold that should not be handed on, and what stands in its place.

The first that fits wins, so that a token is masked before the host in its address is.
"""

from __future__ import annotations

from generator.shapes.shape import Shape

SECRETS = (
    Shape(
        id="token",
        pattern="(?:gh[pousr]_[A-Za-z0-9]{20,255}|github_pat_[A-Za-z0-9_]{20,255}|hf_[A-Za-z0-9]{20,100}"
        "|sk-[A-Za-z0-9_-]{16,200}|xox[abprs]-[A-Za-z0-9-]{10,200}|AKIA[0-9A-Z]{16}|AIza[0-9A-Za-z_-]{35}"
        "|eyJ[A-Za-z0-9_-]{10,}\\.[A-Za-z0-9_-]{10,}\\.[A-Za-z0-9_-]{5,})",
        samples={"token=hf_abcdefghijklmnopqrstuvwxyz": ()},
        misses=("hf_hub_download",),
    ),
    Shape(
        id="key",
        pattern="((?:[Aa]uthorization: ?(?:Bearer|Basic)|[A-Za-z_]{0,40}"
        "(?:KEY|SECRET|TOKEN|PASSWORD|[Pp]assword|[Tt]oken|[Ss]ecret|api_key))[\"']?(?: ?[=:] ?| )[\"']?)"
        "[A-Za-z0-9+/_.~-]{8,500}",
        gives=("keep",),
        samples={"WANDB_API_KEY=0123456789abcdef0123": ("WANDB_API_KEY=",)},
    ),
    Shape(
        id="login",
        pattern="([A-Za-z][A-Za-z0-9+.-]{0,20}://)[^/?# \"']{1,300}@(?:\\[[^\\] ]{1,60}\\]|[^/?# \"':,)>]{1,255})",
        gives=("keep",),
        samples={
            "https://alice:s3cretpw@hub.example/v2": ("https://",),
            "git+https://x-access-token:<token>@git.example/a.git": ("git+https://",),
        },
        misses=("https://hub.example/@scope/package", "tcp://10.0.0.1:29500 (5 @ 3)"),
    ),
    Shape(
        id="e-mail",
        pattern="[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\\.[A-Za-z0-9-]{1,63}){1,8}",
        samples={"mail jane.doe@lab.example now": ()},
        misses=("5 @ 3",),
    ),
    Shape(
        id="user",
        pattern="((?:/home|/Users|/export/home|[A-Za-z]:\\\\Users)[/\\\\])[^/\\\\ \"':,)]{1,64}",
        gives=("keep",),
        samples={"/home/jane/train.py": ("/home/",), "C:\\Users\\jane\\x": ("C:\\Users\\",)},
    ),
    Shape(
        id="ip",
        pattern="\\b(?:[0-9A-Fa-f]{1,4}:){1,6}(?::[0-9A-Fa-f]{1,4}){1,6}\\b(?:\\.[0-9]{1,3}){0,3}(?:%[A-Za-z0-9_.-]{1,16})?"
        "|\\b(?:[0-9A-Fa-f]{1,4}:){2,7}:(?:/[0-9]{1,3}\\b)"
        "|(?:[0-9A-Fa-f]{1,4}:){3,7}[0-9A-Fa-f]{1,4}(?:%[A-Za-z0-9_.-]{1,16})?"
        "|[0-9]{1,3}\\.[0-9]{1,3}\\.[0-9]{1,3}\\.[0-9]{1,3}",
        samples={
            "peer 10.99.91.63<51161>": (),
            "listens on [fe80::1ff:fe23:4567:890a%eth0]:29500": (),
            "2001:db8:1:2::5:6": (),
            "2001:0DB8:0:0:0:0:0:1": (),
            "fd00:12::/64": (),
        },
        misses=("std::bad_alloc", "c10::detail::torchCheckFail", "at 2026-11-30 10:05:03"),
    ),
    Shape(
        id="host",
        pattern="(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\\.){1,6}"
        "(?:local|internal|lan|cluster|corp|com|net|org|edu|io|cloud|example)([^A-Za-z0-9_./(]|$)",
        gives=("tail",),
        samples={"on node-3.cluster.local now": (" ",)},
        misses=("torch.distributed.run",),
    ),
)
"""The groups named `keep`, in front, and `tail`, behind, stay; the rest of what matches becomes `<id>`."""
