"""A client that meets refused connections, error pages and slow answers of a local server, and gets through."""

import http.server
import threading
import time

import requests
from drawn import CHOICE, SEED, log
from requests.adapters import HTTPAdapter
from urllib3.util import Retry

PORT = 18000 + SEED


class Handler(http.server.BaseHTTPRequestHandler):
    seen = 0

    def do_GET(self):
        Handler.seen += 1
        self.send_response(CHOICE.choice((500, 502, 503, 429, 200)) if Handler.seen % 4 else 200)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"ok")


def serve():
    time.sleep(0.4)
    http.server.HTTPServer(("127.0.0.1", PORT), Handler).serve_forever()


threading.Thread(target=serve, daemon=True).start()
session = requests.Session()
session.mount(
    "http://", HTTPAdapter(max_retries=Retry(12, connect=8, backoff_factor=0.05, status_forcelist=(500, 502, 503, 429)))
)
for number in range(12):
    answer = session.get(f"http://127.0.0.1:{PORT}/part/{number}", timeout=2)
    log.info("part %d: %d after %d requests", number, answer.status_code, Handler.seen)
