"""Opens pages that HeadScope wrote in headless browsers and uses them: check_page.py FOLDER [--bench] [--pictures DIR]

FOLDER has sample.html and large.html; check_page.sh makes them. Exits with 77 where there is no browser.
"""

import argparse
import http.server
import pathlib
import re
import shutil
import sys
import threading
import time

from browsers import Chromium, Firefox

BROWSERS = (Chromium, Firefox)


def require(truth, law):
    if not truth:
        raise AssertionError(law)


def until(look, law, seconds=20):
    """Waits for what the page does at its next frame."""
    end = time.monotonic() + seconds
    while not (seen := look()):
        require(time.monotonic() < end, law)
        time.sleep(0.02)
    return seen


class Listener:
    """A server on this machine that remembers what is asked of it."""

    def __init__(self):
        asked = self.asked = []

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                asked.append(self.path)
                self.send_response(204)
                self.send_header("Access-Control-Allow-Origin", "*")
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


class Page:
    """What a reader sees of an open page."""

    def __init__(self, browser, file):
        self.browser = browser
        browser.open(file.absolute().as_uri())
        until(lambda: self.browser.script("return document.querySelectorAll('#bar canvas').length > 0 && "
                                          "document.querySelector('.stage button')?.style.width != ''"),
              f"{file.name} is drawn")
        # Before its first frame a browser does not know what is under the pointer.
        browser.async_script("const [done] = arguments; requestAnimationFrame(() => requestAnimationFrame(() => done()))")

    def status(self):
        return self.browser.script("return document.getElementById('status').textContent")

    def box(self, selector, number=0):
        return self.browser.script("const r = document.querySelectorAll(arguments[0])[arguments[1]]"
                                   ".getBoundingClientRect(); return [r.x, r.y, r.width, r.height]", selector, number)

    def label(self, grid=0):
        return self.browser.script("return document.querySelectorAll('.stage button')[arguments[0]].ariaLabel", grid)

    def chips(self, role):
        return self.browser.script("return [...document.querySelectorAll(`.strip .${arguments[0]}`)]"
                                   ".map(chip => Number(chip.dataset.position))", role)

    def marked_pixels(self, grid):
        return self.browser.script("""
            const marks = document.querySelectorAll('.stage')[arguments[0]].querySelectorAll('canvas')[1];
            const data = marks.getContext('2d').getImageData(0, 0, marks.width, marks.height).data;
            return data.filter((value, at) => at % 4 == 3 && value > 0).length""", grid)

    def point_at_cell(self, query, key, side, grid=0, **what):
        """Points at a cell of the tile that the grid's focus is on."""
        x, y, width, height = self.box(".stage button", grid)
        self.browser.point(x + 2 + (width - 4) * (key + 0.5) / side, y + 2 + (height - 4) * (query + 0.5) / side, **what)


def check_content(page):
    problem = page.browser.script("return document.getElementById('problem').textContent")
    require(not problem, f"no problem is told: {problem}")
    colours = page.browser.script("""
        return [...document.querySelectorAll('.stage')].map(stage => {
            const canvas = stage.querySelector('canvas');
            const pixels = new Uint32Array(canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.buffer);
            return new Set(pixels).size; })""")
    require(len(colours) == 2 and min(colours) > 20, f"both grids have colours: {colours}")
    require(page.browser.script("return document.images.length") == 0, "no text became an image")
    require("onerror=alert(1)" in page.browser.script("return document.querySelectorAll('.strip button')[3].textContent"),
            "a token that looks like markup is text")
    table = page.browser.script("return document.querySelector('#next table').innerText")
    require(re.search(r"90\.0 → 25\.0", table) and "<1.0 → 50.0" in table, f"predictions before and after: {table}")
    require('"prompt"' in page.browser.script("return document.querySelector('recipe').textContent"), "the recipe is there")


def check_policy(page, file, listener, folder):
    attempt = """
        const [address, done] = arguments;
        const script = document.createElement('script');
        script.textContent = 'document.title = "changed"';
        const image = new Image();
        const far = document.createElement('script');
        image.src = address + '/image';
        far.src = address + '/script';
        document.body.append(script, image, far);
        fetch(address + '/fetch').catch(() => 0).then(() => setTimeout(done, 500))"""
    page.browser.async_script(attempt, listener.address)
    require(listener.asked == [], f"nothing leaves the page: {listener.asked}")
    require(page.browser.script("return document.title") != "changed", "no other script runs")
    # The same attempts get out of a page without a policy, so that they prove something.
    bare = folder / "bare.html"
    bare.write_text(re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", file.read_text()))
    page.browser.open(bare.as_uri())
    page.browser.async_script(attempt, listener.address)
    require(sorted(listener.asked) == ["/fetch", "/image", "/script"], f"without a policy they would: {listener.asked}")
    listener.asked.clear()
    bare.unlink()


def check_hover(page):
    page.point_at_cell(10, 4, 24)
    until(lambda: re.fullmatch(r"L0H0: [01]\.\d\d from query 10 “t10” to key 4 “t4”", page.status()), "the cell is named")
    until(lambda: page.chips("key") == [4] and page.chips("query") == [10], "its tokens are lit")
    until(lambda: min(page.marked_pixels(0), page.marked_pixels(1)) > 2000, "it is lit in the tiles of both grids")
    x, y, width, height = page.box(".strip button", 7)
    page.browser.point(x + width / 2, y + height / 2)
    until(lambda: page.chips("key") == page.chips("query") == [7], "a token is lit as key and as query")
    page.browser.point(2, 2)
    until(lambda: page.marked_pixels(0) == 0, "nothing is lit away from tiles and tokens")


def check_zoom(page):
    before = [page.box(".stage button", grid)[2] for grid in (0, 1)]
    x, y, width, height = page.box(".stage")

    def turned():
        page.browser.wheel(x + width / 3, y + height / 3, -200)
        return page.box(".stage button", 0)[2] > 2 * before[0]

    until(turned, "the wheel zooms, notch by notch")
    until(lambda: page.box(".stage button", 1)[2] > 2 * before[1], "in both grids")
    left = [page.box(".stage button", grid)[0] for grid in (0, 1)]
    page.browser.point(x + width / 2, y + height / 2, drag=(-80, -40))
    until(lambda: page.box(".stage button", 0)[0] < left[0] - 20, "dragging moves the view")
    until(lambda: page.box(".stage button", 1)[0] < left[1] - 10, "of both grids")
    require(page.browser.script("return document.getElementById('large').hidden"), "dragging opens nothing")
    page.browser.keys("0")
    until(lambda: abs(page.box(".stage button", 0)[2] - before[0]) < 1, "0 shows all heads")
    page.browser.keys("+", "+")
    until(lambda: page.box(".stage button", 0)[2] > 1.4 * before[0], "+ zooms in")
    page.browser.keys("-", "-", "-")
    until(lambda: abs(page.box(".stage button", 0)[2] - before[0]) < 1, "- zooms out")


def check_keys(page):
    def has_focus(start):
        return page.browser.script("const at = document.activeElement; return at.ariaLabel ?? at.textContent").startswith(start)

    page.browser.keys("Tab", "ArrowRight")
    until(lambda: has_focus("t1"), "Tab reaches the tokens, arrows go along them")
    until(lambda: page.chips("key") == [1], "the token is lit")
    page.browser.keys("Tab")
    until(lambda: has_focus("L0H0"), "then the first grid")
    outline = page.browser.script("const style = getComputedStyle(document.activeElement);"
                                  "return [style.outlineStyle, style.opacity]")
    require(outline == ["solid", "1"], f"the focus is visible: {outline}")
    page.browser.keys("ArrowRight", "ArrowRight", "ArrowDown")
    until(lambda: has_focus("L1H2, ablated, of Dense"), "arrows go from head to head")
    page.browser.keys("Enter")
    until(lambda: page.browser.script("return document.querySelector('#large h2')?.textContent") == "L1H2", "Enter opens it")
    until(lambda: len(page.browser.script("return [...document.querySelectorAll('#large canvas')]")) == 2, "in both models")
    page.browser.keys("ArrowLeft")
    until(lambda: page.browser.script("return document.querySelector('#large h2').textContent") == "L1H1", "it follows")
    page.browser.keys("+", "+", "+")
    page.browser.keys("ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight")
    until(lambda: page.box(".stage button")[0] + page.box(".stage button")[2] < sum(page.box(".stage")[::2]) + 3,
          "the view follows the focus")
    left = page.box(".stage button")[0]
    page.browser.keys("ArrowLeft", shift=True)
    until(lambda: page.box(".stage button")[0] > left, "Shift and arrows move the view")
    page.browser.keys("Tab")
    until(lambda: has_focus("L0H0, of Sparse"), "then the second grid")
    page.browser.keys("0", "Escape")
    until(lambda: page.browser.script("return document.getElementById('large').hidden"), "Escape closes the head")


def check_pin(page):
    page.point_at_cell(12, 5, 24, grid=1, click=True)
    until(lambda: page.browser.script("return document.querySelector('#large h2')?.textContent"), "a click opens the head")
    page.browser.point(2, 2)
    until(lambda: page.chips("query") == [12] and page.chips("key") == [5], "and pins the cell")
    until(lambda: page.browser.script("return !document.getElementById('release').hidden"), "which can be seen to be released")
    page.browser.keys("Escape")
    until(lambda: page.chips("query") == [], "Escape releases it")
    require(not page.browser.script("return document.getElementById('large').hidden"), "and leaves the head open")
    page.browser.keys("Escape")
    until(lambda: page.browser.script("return document.getElementById('large').hidden"), "until it is pressed again")


def take_pictures(kind, folder, pictures):
    for is_dark in (False, True):
        with kind(is_dark) as browser:
            page = Page(browser, folder / "sample.html")
            name = pictures / f"{kind.name}{'-dark' if is_dark else ''}"
            browser.screenshot(f"{name}.png")
            page.point_at_cell(12, 5, 24, click=True)
            until(lambda: page.chips("key") == [5], "the cell is pinned")
            browser.keys("+", "+", "+")
            time.sleep(0.3)
            browser.screenshot(f"{name}-open.png")
            browser.print_to(f"{name}.pdf")


def bench(kind, folder):
    with kind() as browser:
        page = Page(browser, folder / "large.html")
        for presses in (1, 5):
            page.browser.keys("0", *["+"] * presses)
            times, work = browser.async_script("""
                const done = arguments[0], stage = document.querySelector('.stage'), work = [];
                const inFrame = window.requestAnimationFrame.bind(window);
                window.requestAnimationFrame = draw => inFrame(now => {
                    const begin = performance.now();
                    draw(now);
                    work.push(performance.now() - begin);
                });
                stage.setPointerCapture = () => 0;
                const box = stage.getBoundingClientRect(), times = [];
                const send = (type, x) => stage.dispatchEvent(new PointerEvent(type, {
                    clientX: box.x + box.width / 2 + x, clientY: box.y + box.height / 2 + x / 2, pointerId: 1}));
                send('pointerdown', 0);
                let last = performance.now();
                inFrame(function step(now) {
                    times.push(now - last);
                    last = now;
                    send('pointermove', 60 * Math.sin(times.length / 15));
                    if (times.length < 400) return inFrame(step);
                    send('pointercancel', 0);
                    window.requestAnimationFrame = inFrame;
                    done([times.slice(20), work.slice(20)]);
                })""")
            times.sort()
            work.sort()
            print(f"figure: page {kind.name} dragged at zoom {1.25 ** presses:.2f}: {len(times)} frames, "
                  f"{1000 * len(times) / sum(times):.1f} a second; median {times[len(times) // 2]:.1f} ms, "
                  f"99 % within {times[len(times) * 99 // 100]:.1f} ms, worst {times[-1]:.1f} ms; "
                  f"the page's own work in one: median {work[len(work) // 2]:.1f} ms, worst {work[-1]:.1f} ms")


def check(kind, folder, listener):
    with kind() as browser:
        for part in (check_content, check_hover, check_zoom, check_keys, check_pin):
            page = Page(browser, folder / "sample.html")
            part(page)
        check_policy(page, folder / "sample.html", listener, folder)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--bench", action="store_true")
    parser.add_argument("--pictures", type=pathlib.Path)
    options = parser.parse_args()
    listener = Listener()
    has_any = False
    for kind in BROWSERS:
        missing = [program for program in kind.programs if not shutil.which(program)]
        if missing:
            print(f"skipped: the page in {kind.name}: {' and '.join(missing)} not installed.")
            continue
        has_any = True
        if options.bench:
            bench(kind, options.folder)
        elif options.pictures:
            take_pictures(kind, options.folder, options.pictures)
        else:
            check(kind, options.folder, listener)
            print(f"{kind.name}: hover, zoom, keys, pins and policy hold.")
    return 0 if has_any else 77


if __name__ == "__main__":
    sys.exit(main())
