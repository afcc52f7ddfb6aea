"""Chromium through chromedriver and Firefox through Marionette: the same WebDriver commands, without packages."""

import base64
import json
import os
import socket
import subprocess
import tempfile
import time
import urllib.request

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def when_up(attempt, seconds=60):
    """What `attempt` returns once it no longer finds its port closed."""
    end = time.monotonic() + seconds
    while True:
        try:
            return attempt()
        except OSError:
            if time.monotonic() > end:
                raise
            time.sleep(0.05)


class Browser:
    """Commands that both browsers know; `command(name, method, path, parameters)` sends one."""

    def script(self, body, *arguments):
        return self.command("ExecuteScript", "POST", "/execute/sync", {"script": body, "args": list(arguments)})

    def async_script(self, body, *arguments):
        """`body` calls its last argument with the result."""
        return self.command("ExecuteAsyncScript", "POST", "/execute/async", {"script": body, "args": list(arguments)})

    def open(self, address):
        self.command("Navigate", "POST", "/url", {"url": address})

    def resize(self, width, height):
        self.command("SetWindowRect", "POST", "/window/rect", {"width": width, "height": height})

    def screenshot(self, file):
        picture = self.command("TakeScreenshot", "GET", "/screenshot", {"full": False})
        with open(file, "wb") as out:
            out.write(base64.b64decode(picture))

    def print_to(self, file):
        options = {"background": True, "orientation": "portrait", "page": {"width": 21.0, "height": 29.7}}
        document = self.command("Print", "POST", "/print", options)
        with open(file, "wb") as out:
            out.write(base64.b64decode(document))

    def act(self, *sources):
        self.command("PerformActions", "POST", "/actions", {"actions": list(sources)})

    def point(self, x, y, *, click=False, drag=None):
        """Moves the pointer in the window; clicks there, or drags by (dx, dy)."""
        def move(to_x, to_y, duration=0):
            return {"type": "pointerMove", "duration": duration, "x": round(to_x), "y": round(to_y), "origin": "viewport"}
        steps = [move(x, y)]
        if click or drag:
            steps.append({"type": "pointerDown", "button": 0})
            if drag:
                steps += [move(x + drag[0] / 2, y + drag[1] / 2, 30), move(x + drag[0], y + drag[1], 30)]
            steps.append({"type": "pointerUp", "button": 0})
        self.act({"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": steps})

    def wheel(self, x, y, by):
        self.act({"type": "wheel", "id": "wheel", "actions": [
            {"type": "scroll", "x": round(x), "y": round(y), "deltaX": 0, "deltaY": by, "duration": 0}]})

    def keys(self, *names, shift=False):
        codes = {"Tab": "\ue004", "Enter": "\ue007", "Escape": "\ue00c", "ArrowLeft": "\ue012", "ArrowUp": "\ue013",
                 "ArrowRight": "\ue014", "ArrowDown": "\ue015"}
        steps = [{"type": "keyDown", "value": "\ue008"}] if shift else []
        for name in names:
            steps += [{"type": kind, "value": codes.get(name, name)} for kind in ("keyDown", "keyUp")]
        if shift:
            steps.append({"type": "keyUp", "value": "\ue008"})
        self.act({"type": "key", "id": "keyboard", "actions": steps})

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.quit()
        finally:
            self.process.terminate()
            try:
                self.process.wait(10)
            except subprocess.TimeoutExpired:
                self.process.kill()
            self.folder.cleanup()


class Chromium(Browser):
    name = "chromium"
    programs = ("chromium", "chromedriver")

    def __init__(self, is_dark=False):
        self.folder = tempfile.TemporaryDirectory(prefix="hs-chromium-", ignore_cleanup_errors=True)
        port = free_port()
        self.process = subprocess.Popen(["chromedriver", f"--port={port}"], stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL)
        self.address = f"http://127.0.0.1:{port}/session"
        arguments = ["--headless=new", "--window-size=1440,900", "--hide-scrollbars",
                     f"--user-data-dir={self.folder.name}"]
        if is_dark:
            arguments.append("--blink-settings=preferredColorScheme=0")
        if os.geteuid() == 0:
            arguments.append("--no-sandbox")
        wish = {"capabilities": {"alwaysMatch": {"goog:chromeOptions": {"args": arguments}}}}
        session = when_up(lambda: self.send("POST", "", wish))
        self.address += "/" + session["sessionId"]

    def send(self, method, path, parameters):
        body = json.dumps(parameters).encode() if method == "POST" else None
        request = urllib.request.Request(self.address + path, body, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=120) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(json.load(error)["value"]["message"]) from error

    def command(self, _name, method, path, parameters):
        return self.send(method, path, parameters)

    def quit(self):
        self.send("DELETE", "", None)


class Firefox(Browser):
    name = "firefox"
    programs = ("firefox-esr",)

    def __init__(self, is_dark=False):
        self.folder = tempfile.TemporaryDirectory(prefix="hs-firefox-", ignore_cleanup_errors=True)
        port = free_port()
        with open(os.path.join(self.folder.name, "user.js"), "w") as settings:
            settings.write(f'user_pref("marionette.port", {port});\n'
                           f'user_pref("layout.css.prefers-color-scheme.content-override", {0 if is_dark else 1});\n'
                           'user_pref("app.update.enabled", false);\n'
                           'user_pref("browser.shell.checkDefaultBrowser", false);\n'
                           'user_pref("datareporting.policy.dataSubmissionEnabled", false);\n')
        self.process = subprocess.Popen(
            ["firefox-esr", "--headless", "--marionette", "--no-remote", "--profile", self.folder.name,
             "--width", "1440", "--height", "900"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env={**os.environ, "HOME": self.folder.name})
        self.socket = when_up(lambda: socket.create_connection(("127.0.0.1", port), 120))
        self.number = 0
        self.receive()  # the greeting
        self.command("NewSession", None, None, {})

    def receive(self):
        """One message: its length in decimal digits, a colon, and that many bytes of JSON."""
        length = b""
        while (digit := self.socket.recv(1)) != b":":
            if not digit:
                raise ConnectionError("Firefox has gone")
            length += digit
        message = b""
        while len(message) < int(length):
            message += self.socket.recv(int(length) - len(message))
        return json.loads(message)

    def command(self, name, _method, _path, parameters, area="WebDriver"):
        self.number += 1
        message = json.dumps([0, self.number, f"{area}:{name}", parameters]).encode()
        self.socket.sendall(str(len(message)).encode() + b":" + message)
        _kind, _number, error, result = self.receive()
        if error:
            raise RuntimeError(error["message"])
        return result.get("value") if isinstance(result, dict) and set(result) == {"value"} else result

    def quit(self):
        self.command("Quit", None, None, {"flags": ["eForceQuit"]}, "Marionette")
        self.socket.close()
