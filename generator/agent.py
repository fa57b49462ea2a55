"""The server for coding agents, over standard input and output: diagnose a log, read an entry, find one.

Speaks the Model Context Protocol through its official SDK (the extra `mcp`). Reads no file and sends nothing: a log
comes as text, and the answer is the one that the command gives. Standard output belongs to the protocol.
"""

from __future__ import annotations

from typing import Any

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError

from generator.diagnosis.diagnose import diagnose
from generator.expand import expand
from generator.explain import find_entry
from generator.index import Index
from generator.model import Catalog
from generator.nearest import nearest
from generator.prose import plain_text
from generator.redact import redact
from generator.twin import twin

MOST = 20_000_000
"""Characters of a log that is taken."""
_HOW = (
    "Known failures of machine-learning training and serving. When a job died, give its log to diagnose_log and follow "
    "next_action; status 'not_in_log' and missing_fact say what the log does not show. read_entry has commands that "
    "confirm or exclude a failure, and its fixes, with references. Do not name a cause that the answer does not."
)


def serve(catalog: Catalog, index: Index, version: str) -> None:
    """Answer until standard input ends."""
    server_for(catalog, index, version).run("stdio")


def server_for(catalog: Catalog, index: Index, version: str) -> MCPServer[Any]:
    """Make the server."""
    server: MCPServer[Any] = MCPServer("ml-failure-encyclopedia", instructions=_HOW, version=version, log_level="ERROR")

    @server.tool(structured_output=False)
    def diagnose_log(log: str, redacted: bool = True) -> dict[str, Any]:
        """Say which failure started a job's end, from its log: who, what and why, with line numbers.

        Args:
            log: The text of the log, as it is; of several ranks, one after the other.
            redacted: Mask tokens, e-mails, addresses, hosts and home folders in the answer.

        """
        if len(log) > MOST:
            raise ToolError(f"the log has more than {MOST} characters: give the part around the failure")
        found = diagnose([("log", [log.encode("utf-8", "replace")])], index)
        return dict(redact(found, index.shapes["secrets"], found["who"]["hosts"])) if redacted else found

    @server.tool(structured_output=False)
    def read_entry(name: str) -> str:
        """Return an entry as Markdown: causes, how to confirm or exclude it, fixes, look-alikes, references.

        Args:
            name: The id of the entry or of one of its signatures (MLFE-6612, MLFE-6612-1), or its slug.

        """
        try:
            entry, _ = find_entry(catalog, name)
        except KeyError:
            raise ToolError(f"no entry '{name[:100]}': look for one with search_entries") from None
        except LookupError as error:
            raise ToolError(str(error.args[0])) from None
        return twin(expand(entry, catalog))

    @server.tool(structured_output=False)
    def search_entries(text: str) -> list[dict[str, str]]:
        """List the entries nearest to an error line or to words, best first.

        Args:
            text: A line of a log, or what is seen.

        """
        return [
            {
                "id": near.entry.id,
                "slug": near.entry.slug,
                "title": plain_text(near.entry.title),
                "summary": plain_text(near.entry.summary),
                "status": near.entry.status,
                "signature": near.signature,
            }
            for near in nearest(catalog, text[:10_000])
        ]

    return server
