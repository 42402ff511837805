# Talks to a language server like an editor: Content-Length frames over standard input and
# output. A wrong pooling operation must give a diagnostic at its place. Hovering over a correct
# operation must describe it.
#
# usage: lsp_client.py SERVER
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import json
import subprocess
import sys

WRONG = """func.func @wrong(%x: tensor<1x1x4x4xf32>) -> tensor<1x1x2x2xf32> {
  %0 = pool.max_pool %x kernel [2, 2] strides [0, 2] : tensor<1x1x4x4xf32> -> tensor<1x1x2x2xf32>
  return %0 : tensor<1x1x2x2xf32>
}
"""
RIGHT = WRONG.replace("@wrong", "@right").replace("[0, 2]", "[2, 2]")


class Server:
    def __init__(self, command):
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self.requests = 0

    def send(self, method, params, **fields):
        message = {"jsonrpc": "2.0", "method": method, "params": params}
        body = json.dumps({**message, **fields}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body))
        self.process.stdin.write(body)
        self.process.stdin.flush()

    def receive(self):
        length = None
        while True:
            line = self.process.stdout.readline()
            if not line:
                sys.exit("the server closed the connection")
            if line == b"\r\n":
                break
            name, value = line.decode().split(":")
            if name == "Content-Length":
                length = int(value)
        return json.loads(self.process.stdout.read(length))

    def request(self, method, params):
        self.requests += 1
        self.send(method, params, id=self.requests)
        while True:
            message = self.receive()
            if message.get("id") == self.requests:
                return message["result"]

    def open(self, uri, text):
        """Opens a document and returns the diagnostics that the server publishes."""
        document = {"uri": uri, "languageId": "mlir", "version": 1, "text": text}
        self.send("textDocument/didOpen", {"textDocument": document})
        while True:
            message = self.receive()
            if message.get("method") == "textDocument/publishDiagnostics":
                assert message["params"]["uri"] == uri
                return message["params"]["diagnostics"]


def main(command):
    server = Server(command)
    server.request(
        "initialize",
        {"processId": None, "rootUri": None, "capabilities": {}, "trace": "off"},
    )
    server.send("initialized", {})

    for diagnostic in server.open("test:///wrong.mlir", WRONG):
        line = diagnostic["range"]["start"]["line"]
        print(f"diagnostic in line {line}: {diagnostic['message']}")

    uri = "test:///right.mlir"
    print("diagnostics of the right one:", len(server.open(uri, RIGHT)))
    column = RIGHT.splitlines()[1].index("pool.max_pool") + 3
    hover = server.request(
        "textDocument/hover",
        {
            "textDocument": {"uri": uri},
            "position": {"line": 1, "character": column},
        },
    )
    print("hover:", json.dumps(hover["contents"]["value"]))

    server.request("shutdown", None)
    server.send("exit", None)
    server.process.stdin.close()
    print("exit code", server.process.wait(timeout=60))


if __name__ == "__main__":
    main(sys.argv[1:])
