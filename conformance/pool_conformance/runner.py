"""Runs vectors in a process of their own, so that a crash or a hang of a system is a result."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

from __future__ import annotations

import datetime
import json
import os
import select
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Optional

from . import __version__
from .compare import FAULTS, judge
from .confirm import digest
from .vector import Vector

PROTOCOL = 1
START_LIMIT = 300.0  # seconds to import a system
MEMORY = 6144  # MiB
REFERENCE = "reference"


class CannotRun(RuntimeError):
    """The system is not installed or does not start."""


class Process:
    """A program that answers requests. `ask` starts it when it is needed.

    `memory` is the largest resident size in MiB of the program with all processes that it
    started. Above it they are killed, which counts as a crash. It is watched on Linux only. A
    limit of the address space would be stricter, but some systems reserve more than they use.
    """

    def __init__(self, command: list[str], memory: int = MEMORY) -> None:
        self.command, self.memory = command, memory
        self.child: Optional[subprocess.Popen[bytes]] = None
        self.errors = tempfile.TemporaryFile()
        self.buffer = b""

    def start(self) -> None:
        self.errors.seek(0)
        self.errors.truncate()
        self.buffer = b""
        environment = {**os.environ, "OMP_NUM_THREADS": "1", "TF_CPP_MIN_LOG_LEVEL": "3"}
        root = str(Path(__file__).resolve().parent.parent)
        environment["PYTHONPATH"] = os.pathsep.join(
            filter(None, [root, environment.get("PYTHONPATH", "")]))
        self.child = subprocess.Popen(self.command, stdin=subprocess.PIPE,
                                      stdout=subprocess.PIPE, stderr=self.errors,
                                      env=environment, start_new_session=True)
        try:
            # If the machine runs out of memory first, the kernel ends this process, not another.
            Path(f"/proc/{self.child.pid}/oom_score_adj").write_text("1000", encoding="ascii")
        except OSError:
            pass

    def stop(self) -> None:
        """Ends the process and the processes that it started."""
        if self.child is None:
            return
        try:
            os.killpg(self.child.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            pass
        self.child.wait()
        for stream in (self.child.stdin, self.child.stdout):
            if stream is not None:
                try:
                    stream.close()
                except BrokenPipeError:
                    pass
        self.child = None

    def ask(self, request: dict[str, Any], limit: float) -> dict[str, Any]:
        """Sends one request and returns its answer. A process that dies gives `crash`, one that
        needs longer than `limit` seconds gives `hang`; the next request starts another one."""
        if self.child is None or self.child.poll() is not None:
            self.stop()
            self.start()
        assert self.child is not None and self.child.stdin is not None
        try:
            self.child.stdin.write(json.dumps({"protocol": PROTOCOL, **request}).encode() + b"\n")
            self.child.stdin.flush()
            line = self._read_line(time.monotonic() + limit)
        except BrokenPipeError:
            line = b""
        except TimeoutError as error:
            self.stop()
            return {"hang": str(error)}
        except MemoryError as error:
            self.stop()
            return {"crash": str(error)}
        if not line:
            return {"crash": self._epitaph()}
        try:
            answer = json.loads(line)
        except ValueError:
            answer = None
        if not isinstance(answer, dict):
            return {"broken": f"not a JSON object: {line[:200].decode(errors='replace')}"}
        return answer

    def _read_line(self, deadline: float) -> bytes:
        assert self.child is not None and self.child.stdout is not None
        file = self.child.stdout.fileno()
        began = time.monotonic()
        while b"\n" not in self.buffer:
            left = deadline - time.monotonic()
            if left <= 0:
                raise TimeoutError(f"no answer within {deadline - began:.0f} seconds")
            ready, _, _ = select.select([file], [], [], min(left, 0.1))
            if not ready:
                if resident(self.child.pid) > self.memory:
                    raise MemoryError(f"out of memory: it needs more than {self.memory} MiB")
                continue
            data = os.read(file, 1 << 20)
            if not data:
                return b""
            self.buffer += data
        line, self.buffer = self.buffer.split(b"\n", 1)
        return line

    def _epitaph(self) -> str:
        """Returns why the process died, with the last line of its standard error."""
        assert self.child is not None
        try:
            code = self.child.wait(10)
        except subprocess.TimeoutExpired:
            code = 0
        self.stop()
        self.errors.seek(0)
        lines = self.errors.read()[-4000:].decode(errors="replace").strip().splitlines()
        how = f"exit code {code}"
        if code < 0:
            try:
                how = f"signal {signal.Signals(-code).name}"
            except ValueError:
                how = f"signal {-code}"
        return how + (f": {lines[-1][:200]}" if lines else "")


def resident(group: int) -> int:
    """Returns the resident size in MiB of all processes of a process group, 0 if unknown."""
    pages = 0
    for directory in Path("/proc").glob("[0-9]*"):
        try:
            # The fields after the name, which may contain blanks
            fields = (directory / "stat").read_text(errors="replace").rsplit(")", 1)[1].split()
            if int(fields[2]) == group:
                pages += int(fields[21])
        except (OSError, IndexError, ValueError):
            continue
    return pages * os.sysconf("SC_PAGE_SIZE") // (1 << 20)


def system_command(system: str, python: str = "") -> list[str]:
    """Returns the command of a system's process."""
    return [python or sys.executable, "-m", "pool_conformance.worker", system]


class System:
    """A system that answers vectors: an adapter in a process, or another program."""

    def __init__(self, name: str, command: list[str], timeout: float = 60.0,
                 memory: int = MEMORY) -> None:
        self.name, self.timeout = name, timeout
        self.process = Process(command, memory)
        self.facts = self.process.ask({"request": "describe"}, START_LIMIT)
        if "missing" in self.facts:
            self.process.stop()
            raise CannotRun(f"{name} cannot be imported: {self.facts['missing']}")
        for status in ("crash", "hang", "broken"):
            if status in self.facts:
                self.process.stop()
                raise CannotRun(f"{name} does not start: {self.facts[status]}")
        self.timeout = self.facts.get("timeout") or timeout

    def answer(self, vector: Vector) -> dict[str, Any]:
        """Returns the system's answer to a vector."""
        if self.process.child is None:
            # A fresh process imports the system before it answers; that has its own limit.
            self.process.ask({"request": "describe"}, START_LIMIT)
        return self.process.ask({"request": "run", "vector": vector.json}, self.timeout)

    def script(self, vector: Vector) -> str:
        """Returns the script that shows a vector in this system alone, or an empty string."""
        answer = self.process.ask({"request": "reproduce", "vector": vector.json}, START_LIMIT)
        return str(answer.get("script", ""))

    def close(self) -> None:
        self.process.stop()


def run(system: System, vectors: Iterable[Vector],
        progress: Callable[[str, str, str], None] = lambda *_: None) -> dict[str, Any]:
    """Runs all vectors. Returns the results as an object to be written as JSON. `progress` is
    called with each vector's name, status and message."""
    facts = system.facts
    results = {}
    for vector in vectors:
        began = time.monotonic()
        answer = system.answer(vector)
        status, message = judge(vector, answer)
        entry: dict[str, Any] = {"status": status, "digest": digest(vector.json)}
        if message:
            entry["message"] = message
        if time.monotonic() - began > 5:
            entry["seconds"] = round(time.monotonic() - began, 1)
        if status == "differs":
            entry["answer"] = answer
        if status in FAULTS or status == "refused":
            script = system.script(vector)
            if script:
                entry["script"] = script
        results[vector.name] = entry
        progress(vector.name, status, message)
    return {"kit": __version__, "date": datetime.date.today().isoformat(),
            "system": system.name, "title": facts.get("title") or system.name,
            "version": str(facts.get("version", "")), "documents": facts.get("documents", []),
            "tracker": facts.get("tracker", ""), "requirements": facts.get("requirements", []),
            "results": results}
