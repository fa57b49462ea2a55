"""Every address that the register gave out is a page of the built site that leads on, by script and without one."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import urljoin

from generator.register import FILE, parse_register
from tests.site import ROOT

BY_SCRIPT = re.compile(r'location\.replace\("([^"]+)" \+ \(location\.hash \|\| "([^"]*)"\)\)')
WITHOUT = re.compile(r'<noscript><meta http-equiv="refresh" content="0; url=([^"]+)"></noscript>')
ID = re.compile(r' id="([^"]+)"')


def test_every_address_of_the_register_leads_to_its_place(site: Path) -> None:
    register, issues = parse_register((ROOT / FILE).read_text(encoding="utf-8"))
    assert issues == ()
    lost = []
    anchors: dict[str, set[str]] = {}
    for registration in register.values():
        number = registration.id.removeprefix("MLFE-")
        names = {number: "", **{f"{number}-{k}": f"mlfe-{number}-{k}" for k in registration.signatures}}
        wanted = f"{registration.address}/"
        if wanted not in anchors:
            anchors[wanted] = set(ID.findall((site / wanted / "index.html").read_text(encoding="utf-8")))
        for name, anchor in names.items():
            for address in (f"r/{name}/", f"r/MLFE-{name}/", f"r/mlfe-{name}/"):
                html = (site / address / "index.html").read_text(encoding="utf-8")
                to, mark = BY_SCRIPT.findall(html)[0]
                mark = mark.removeprefix("#")
                [without] = WITHOUT.findall(html)
                target = urljoin(f"/{address}", to)
                if (target, mark) != (f"/{wanted}", anchor) or (anchor and anchor not in anchors[wanted]):
                    lost.append((address, target, mark))
                if urljoin(f"/{address}", without) != f"/{wanted}" + (f"#{anchor}" if anchor else ""):
                    lost.append((address, without, "without a script"))
                if f'href="https://encyclopedia.example/{wanted}"' not in html or 'property="og:image"' not in html:
                    lost.append((address, "its preview", ""))
    assert lost == []
    assert len(register) > 90
