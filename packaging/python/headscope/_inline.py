"""Pages for those who are used to functions that show something and return nothing."""
from __future__ import annotations

from ._page import Page


def displayed(page: Page, action: str = "view") -> Page | None:
    """Shows a page in the middle of a notebook's cell; elsewhere, and if asked to, returns it."""
    if action not in ("view", "return"):
        raise ValueError('"html_action" must be "view" or "return"')
    if action == "view":
        try:
            from IPython import get_ipython
            from IPython.display import display
        except ImportError:
            return page
        if get_ipython() is not None:
            display(page)  # type: ignore[no-untyped-call]
            return None
    return page
