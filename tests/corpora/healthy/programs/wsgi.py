"""A WSGI service for gunicorn and the reference server."""

import logging


def app(environ, start_response):
    missing = environ["PATH_INFO"].startswith("/missing")
    logging.getLogger("gunicorn.error").info("serving %s", environ["PATH_INFO"])
    start_response("404 Not Found" if missing else "200 OK", [("Content-Type", "text/plain")])
    return [b"no such page\n" if missing else b"ok\n"]


if __name__ == "__main__":
    import sys
    from wsgiref.simple_server import make_server

    with make_server("127.0.0.1", int(sys.argv[1]), app) as server:
        for _ in range(int(sys.argv[2])):
            server.handle_request()
