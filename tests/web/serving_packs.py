"""A pack served by the program itself, and asked by raw requests."""

import http.client
import json
import re
import subprocess
import sys
from contextlib import contextmanager

PROGRAM = [sys.executable, "-m", "gaugeblock"]


@contextmanager
def served(folder):
    """Yield the port on which `gaugeblock review serve` answers."""
    command = [*PROGRAM, "review", "serve", str(folder), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        line = process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)/", line)
        assert found, line
        try:
            yield int(found[1])
        finally:
            process.terminate()


def ask(port, path, *, method="GET", host=None, body=None, **headers):
    """Return status, headers and body of a request as it is written here, nothing normalised."""
    link = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    link.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
    link.putheader("Host", host or f"127.0.0.1:{port}")
    for name, value in headers.items():
        link.putheader(name.replace("_", "-"), value)
    if body is not None:
        link.putheader("Content-Length", str(len(body)))
    link.endheaders(body)
    answer = link.getresponse()
    return answer.status, dict(answer.getheaders()), answer.read()


SCORES = {"recognisability": 8, "coherence": 7, "details": 10, "finish": 0}


def said(**changes):
    return {"reviewer": "Ana", "method": "human", "scores": SCORES, "notes": "", **changes}


def put(port, number, content, **headers):
    """Save as the page does; headers may be replaced."""
    values = {"Origin": f"http://127.0.0.1:{port}", "Content_Type": "application/json", **headers}
    body = content if isinstance(content, bytes) else json.dumps(content).encode()
    path = f"/reviews/{number}"
    return ask(port, path, method="PUT", body=body, **{k: v for k, v in values.items() if v})
