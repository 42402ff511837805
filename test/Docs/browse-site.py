# REQUIRES: tier-all, chromium, mkdocs
# RUN: cd %src_root && env NO_MKDOCS_2_WARNING=1 %mkdocs build --strict --site-dir %t
# RUN: %python %s %t
"""The built site must be usable in a browser, in the width of a screen and of a telephone:
Inputs/browse-site.html follows the links and checks the pages.

usage: browse-site.py SITE
"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import functools
import http.server
import json
import queue
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

BROWSER = Path(__file__).resolve().parent / "Inputs" / "browse-site.html"
# Seconds until a browser counts as hung: many times as long as the test takes
LIMIT = 600
reports = queue.Queue()


class Handler(http.server.SimpleHTTPRequestHandler):
    def do_GET(self):
        if self.path != "/browse-site":
            super().do_GET()
            return
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(BROWSER.read_bytes())

    def do_POST(self):
        reports.put(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_):
        """Prints nothing, unlike the base class."""


def browse(url):
    """Opens `url` in a browser without a window. Returns the report that the page sends."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        command = ["chromium", "--headless", "--no-sandbox", "--disable-gpu",
                   "--disable-dev-shm-usage", "--disable-background-networking",
                   "--no-first-run", f"--user-data-dir={profile}", url]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL) as browser:
            try:
                return reports.get(timeout=LIMIT)
            finally:
                browser.terminate()


def main(site):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0),
                                             functools.partial(Handler, directory=site))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    report = browse(f"http://127.0.0.1:{server.server_port}/browse-site")
    server.shutdown()
    built = {page.relative_to(site).as_posix() for page in Path(site).rglob("*.html")}
    faults = report["faults"] + [f"no link leads to {page}"
                                 for page in sorted(built - set(report["pages"]))]
    print(f"{len(built)} pages, {report['links']} links", *faults, sep="\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
