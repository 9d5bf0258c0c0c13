"""A headless Chromium under a test's hand: its DevTools protocol over two pipes, nothing to install besides it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
FLAGS = (
    "--headless=new", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
    "--no-first-run", "--disable-background-networking", "--disable-extensions",
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--window-size=1280,1000", "--force-prefers-reduced-motion",
)  # fmt: skip


def program() -> str | None:
    return next((found for name in NAMES if (found := shutil.which(name))), None)


class Browser:
    """One page.  `problems`: what came to its console as an error, and exceptions that nobody caught."""

    def __init__(self, downloads: Path):
        self._profile = tempfile.TemporaryDirectory(prefix="tutti-browser-")
        to_read, self._write = os.pipe()
        self._read, to_write = os.pipe()
        # The protocol is spoken on 3 and 4, whatever the pipes' own numbers.
        command = f'exec "$@" 3<&{to_read} 4>&{to_write}'
        words = [program() or "chromium", *FLAGS, f"--user-data-dir={self._profile.name}", "about:blank"]
        self._process = subprocess.Popen(
            ["bash", "-c", command, "browser", *words],
            pass_fds=(to_read, to_write),
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
        )  # fmt: skip
        os.close(to_read)
        os.close(to_write)
        self._number, self._rest, self._session = 0, b"", ""
        self.problems: list[str] = []
        pages = [each for each in self.call("Target.getTargets")["targetInfos"] if each["type"] == "page"]
        attached = self.call("Target.attachToTarget", targetId=pages[0]["targetId"], flatten=True)
        self._session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(downloads))
        self.call("Network.emulateNetworkConditions", offline=True, latency=0, downloadThroughput=0, uploadThroughput=0)

    def _message(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            part = os.read(self._read, 1 << 20)
            if not part:
                raise RuntimeError("the browser ended")
            self._rest += part
        line, _, self._rest = self._rest.partition(b"\0")
        return json.loads(line)

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """The protocol's answer; what happened meanwhile is noted."""
        self._number += 1
        asked: dict[str, Any] = {"id": self._number, "method": method, "params": parameters}
        if self._session and not method.startswith(("Target", "Browser")):
            asked["sessionId"] = self._session
        os.write(self._write, json.dumps(asked).encode() + b"\0")
        while True:
            message = self._message()
            self._note(message)
            if message.get("id") == self._number:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']}")
                return message["result"]

    def _note(self, message: dict[str, Any]) -> None:
        event, parameters = message.get("method"), message.get("params", {})
        if event == "Runtime.exceptionThrown":
            details = parameters["exceptionDetails"]
            self.problems.append(details.get("exception", {}).get("description") or details["text"])
        elif event == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "warning", "assert"):
            self.problems.append(str([each.get("value") for each in parameters["args"]]))
        elif event == "Log.entryAdded" and parameters["entry"]["level"] in ("error", "warning"):
            self.problems.append(parameters["entry"]["text"])

    def run(self, script: str) -> Any:
        """What an expression gives, once its promise, if it is one, has been kept."""
        found = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in found:
            raise RuntimeError(f"{script}: {found['exceptionDetails']}")
        return found["result"].get("value")

    def until(self, script: str, seconds: float = 20) -> Any:
        """The first value that is true."""
        end = time.monotonic() + seconds
        while not (value := self.run(script)):
            if time.monotonic() > end:
                raise AssertionError(f"never true in {seconds} s: {script}")
            time.sleep(0.02)
        return value

    def open(self, file: Path) -> float:
        """Loads a file; the seconds until all of it was there and its scripts had run, by the browser's own clock."""
        self.call("Page.navigate", url=file.absolute().as_uri())
        self.until(f"location.href.endsWith({json.dumps(file.name)}) && document.readyState === 'complete' && "
                   "performance.getEntriesByType('navigation')[0].loadEventEnd > 0")  # fmt: skip
        return self.run("performance.getEntriesByType('navigation')[0].loadEventEnd") / 1000

    def click(self, selector: str) -> None:
        """With the mouse, in the middle of the element, once it stands still."""
        find = (
            f"(() => {{ const e = document.querySelector({json.dumps(selector)}); "
            "e.scrollIntoView({block: 'center', behavior: 'instant'}); return new Promise((done) => "
            "requestAnimationFrame(() => requestAnimationFrame(() => { const r = e.getBoundingClientRect(); "
            "done([r.x + r.width / 2, r.y + r.height / 2]); }))); })()"
        )
        place, before = self.run(find), None
        while place != before:
            place, before = self.run(find), place
        x, y = place
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def key(self, name: str) -> None:
        text = {"text": "\r"} if name == "Enter" else {}
        code = {"Enter": 13, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40}[name]
        self.call("Input.dispatchKeyEvent", type="keyDown", key=name, code=name, windowsVirtualKeyCode=code, **text)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=name, code=name, windowsVirtualKeyCode=code)

    def close(self) -> None:
        try:
            self.call("Browser.close")
            self._process.wait(10)
        except (RuntimeError, OSError, subprocess.TimeoutExpired):
            self._process.kill()
            self._process.wait()
        os.close(self._write)
        os.close(self._read)
        self._profile.cleanup()
