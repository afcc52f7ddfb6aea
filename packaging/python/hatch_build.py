"""A wheel with the program in it is for one kind of machine."""
import os
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class ProgramHook(BuildHookInterface):
    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if platform := os.environ.get("HEADSCOPE_PLATFORM"):
            build_data["pure_python"] = False
            build_data["tag"] = f"py3-none-{platform}"
