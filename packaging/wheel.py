#!/usr/bin/env python3
"""Packs the built program with its libraries: as a wheel, which finds torch beside itself in site-packages, or as an
archive with everything. The program has to be built with pip's torch: ./dev wheel and ./dev bundle do so.

Usage: wheel.py wheel|bundle BUILD_FOLDER OUT_FOLDER
"""
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]

# What every system has in the version of its C library and its compiler's.
SYSTEM = re.compile(r"(ld-linux.*|lib(c|m|dl|rt|pthread|resolv|util|anl|nsl|stdc\+\+|gcc_s))\.so[.0-9]*$")

# Qt's plugins that the program may need; what they lack at run time, such as Wayland, they do without.
PLUGINS = ["platforms/libqxcb.so", "platforms/libqoffscreen.so", "platforms/libqwayland-*.so", "wayland-shell-integration/*.so",
           "wayland-decoration-client/*.so", "iconengines/libqsvgicon.so", "imageformats/libqsvg.so"]

# A bare system has none; those of figures and of the window, and one with the signs that they lack.
FONTS = ["opentype/inter/Inter-Regular.otf", "opentype/inter/Inter-Italic.otf", "opentype/inter/Inter-Medium.otf",
         "opentype/inter/Inter-SemiBold.otf", "opentype/inter/Inter-Bold.otf", "truetype/dejavu/DejaVuSans.ttf",
         "truetype/dejavu/DejaVuSansMono.ttf"]
FONTS_CONF = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir prefix="relative">.</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
"""

# ICU's data, but for what a window in English takes: locales, other character sets, dictionaries, spelt-out numbers, names
# of currencies, languages, units, regions and characters, time zones, rules for names on networks.
UNUSED_DATA = re.compile(r"(.*/)?(?!(en|en_001|en_US|res_index)\.res$)[a-z]{2,3}(_\w+)?\.res$|.*\.(cnv|dict|spp|cfu)$"
                         r"|(rbnf|translit|curr|lang|unit|region|zone)/|(unames\.icu|\w*[zZ]one\w*\.res)$")

# What libdbus asks libsystemd for is a server's, which no window is; for the answer "no" four libraries would be packed.
NO_SYSTEMD = {"sd_listen_fds@LIBSYSTEMD_209", "sd_is_socket@LIBSYSTEMD_209"}

LAUNCHER = """#!/bin/sh
here=$(dirname "$(readlink -f "$0")")
FONTCONFIG_FILE=${FONTCONFIG_FILE:-$here/fonts/fonts.conf} exec "$here/bin/headscope" "$@"
"""


def output(*words):
    return subprocess.run([str(word) for word in words], check=True, capture_output=True, text=True).stdout


def libraries_of(file):
    """Paths of all that a file needs, directly and through others. Fails where something is missing."""
    found = []
    for line in output("ldd", file).splitlines():
        if "not found" in line:
            sys.exit(f"{file} needs {line.split()[0]}, which is not on this machine; install it and build again.")
        if match := re.search(r"=> (/\S+)", line):
            found.append(pathlib.Path(match[1]))
    return found


def copy_licence(library, folder):
    """What Debian says about the package that a library is from."""
    package = ""
    for path in (library, library.resolve(), pathlib.Path("/usr", *library.parts[1:])):
        found = subprocess.run(["dpkg", "-S", path], capture_output=True, text=True).stdout
        package = package or found.partition(":")[0]
    licence = pathlib.Path("/usr/share/doc", package, "copyright")
    if not package or not licence.is_file():
        sys.exit(f"Debian has no licence of {library}; take it from a package.")
    folder.mkdir(parents=True, exist_ok=True)
    source = output("dpkg-query", "--show", "--showformat=${source:Package}\\n", package).split()[0]
    shutil.copy(licence, folder / source)


def copy_pip_licence(library, site, folder):
    """That of the package of pip that a library is from."""
    name = os.path.relpath(library, site)
    for record in site.glob("*.dist-info/RECORD"):
        if re.search(rf"^{re.escape(name)},", record.read_text(), re.MULTILINE):
            files = sorted(file for file in record.parent.rglob("*") if file.is_file())
            licence = [file for file in files if re.match("licen[cs]e", file.name, re.IGNORECASE)]
            shutil.copy(licence[0], folder / record.parent.name.partition("-")[0])
            return
    sys.exit(f"pip has no licence of {library}; install it with pip.")


def slim_icu(library):
    """Makes ICU's library of 31 MB one of 4."""
    with tempfile.TemporaryDirectory() as folder:
        data = pathlib.Path(folder, "all", re.search(r"icudt\d+", output("readelf", "--dyn-syms", "--wide", library))[0] + "l.dat")
        less = pathlib.Path(folder, data.name)
        data.parent.mkdir()
        output("objcopy", "--output-target=binary", "--only-section=.rodata", library, data)
        removed = pathlib.Path(folder, "removed.txt")
        removed.write_text("\n".join(filter(UNUSED_DATA.match, output("icupkg", "--list", data).split())))
        output("icupkg", "--ignore-deps", "--remove", removed, data, less)
        output("genccode", "--assembly", "gcc", "--destdir", folder, "--entrypoint", data.stem.removesuffix("l"), less)
        output("gcc", "-shared", f"-Wl,-soname,{library.name}", "-o", library, *pathlib.Path(folder).glob("*.S"))


def needed_by(program):
    """Those of its libraries that anything of a program names."""
    files = [*program.glob("bin/headscope*"), *program.glob("lib/*"), *program.glob("plugins/*/*.so")]
    return {program / "lib" / name for file in files for name in output("patchelf", "--print-needed", file).split()}


def replace_systemd(program):
    """Puts a library that says no in place of libsystemd where nothing else is asked of it, and drops what only that needed."""
    libraries = program / "lib"
    systemd = libraries / "libsystemd.so.0"
    asked = output("nm", "--dynamic", "--undefined-only", *set(libraries.iterdir()) - {systemd})
    if not systemd.exists() or set(re.findall(r"\S+@LIBSYSTEMD\S*", asked)) - NO_SYSTEMD:
        return
    with tempfile.TemporaryDirectory() as folder:
        code, versions = pathlib.Path(folder, "no.c"), pathlib.Path(folder, "versions")
        code.write_text("".join(f"int {each.partition('@')[0]}(void) {{ return 0; }}\n" for each in NO_SYSTEMD))
        versions.write_text("LIBSYSTEMD_209 { global: sd_*; local: *; };")
        output("gcc", "-shared", "-nostdlib", f"-Wl,-soname,{systemd.name},--version-script={versions}", "-o", systemd, code)
    while unneeded := set(libraries.iterdir()) - needed_by(program):
        for library in unneeded:
            library.unlink()


def collect(build, program, with_torch):
    """Installs the program into a folder and lays what it needs beside it; torch's version."""
    output("cmake", "--install", build, "--prefix", program, "--strip")
    shutil.rmtree(program / "share" / "doc" / "headscope" / "guide")  # it is built into the program
    binaries = [program / "bin" / name for name in ("headscope", "headscope-serve")]
    needed = libraries_of(build / "bin" / "headscope")
    torch = next(path for path in needed if path.name.startswith("libtorch_cpu.so")).parent
    if not (torch.parent / "version.py").is_file():
        sys.exit(f"The program in {build} is built with {torch}, which is not pip's torch; use ./dev wheel or ./dev bundle.")
    version = re.search(r"__version__ = '([0-9]+\.[0-9]+)", (torch.parent / "version.py").read_text())[1]
    plugins = pathlib.Path(output("qtpaths6", "--query", "QT_INSTALL_PLUGINS").strip())
    for pattern in PLUGINS:
        for plugin in plugins.glob(pattern):
            target = program / "plugins" / plugin.relative_to(plugins)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(plugin, target)
            needed += libraries_of(plugin)
            copy_licence(plugin, program / "licences")
    (program / "fonts").mkdir()
    for font in FONTS:
        shutil.copy(pathlib.Path("/usr/share/fonts", font), program / "fonts")
        copy_licence(pathlib.Path("/usr/share/fonts", font), program / "licences")
    (program / "fonts" / "fonts.conf").write_text(FONTS_CONF)
    (program / "lib").mkdir(exist_ok=True)
    # What pip has installed is not packed: torch, and CUDA where it is built for that, wherever the linker found it.
    site = torch.parents[1]
    homes = {path.name: folder for folder in (torch, *site.glob("nvidia/*/lib")) for path in folder.glob("lib*.so*")}
    beside = [torch]
    for library in sorted(set(needed)):
        home = homes.get(library.name)
        if home and home not in beside:
            beside.append(home)
        if SYSTEM.match(library.name) or (not with_torch and home):
            continue
        shutil.copy(library, program / "lib" / library.name)
    replace_systemd(program)
    for library in sorted(set(needed)):
        packed = program / "lib" / library.name
        if not packed.exists():
            continue
        if site in library.parents:
            copy_pip_licence(library, site, program / "licences")
        else:
            copy_licence(library, program / "licences")
            output("strip", "--strip-unneeded", packed)
        if library.name.startswith("libicudata.so"):
            slim_icu(packed)
    path = ["$ORIGIN/../lib"] + [f"$ORIGIN/../../../{folder.relative_to(site)}" for folder in beside if not with_torch]
    for file in binaries:
        output("patchelf", "--set-rpath", ":".join(path), file)
    for file in (program / "lib").iterdir():
        output("patchelf", "--set-rpath", "$ORIGIN", file)
    for file in (program / "plugins").rglob("*.so"):
        output("patchelf", "--set-rpath", "$ORIGIN/../../lib", file)
    (program / "bin" / "qt.conf").write_text("[Paths]\nPrefix=..\nPlugins=plugins\n")
    return version


def glibc_platform():
    major, minor = platform.libc_ver()[1].split(".")[:2]
    return f"manylinux_{major}_{minor}_{platform.machine()}"


def make_wheel(build, out):
    stage = ROOT / "build" / "python"  # as deep as packaging/python, whose version is found two folders up
    shutil.rmtree(stage, ignore_errors=True)
    shutil.copytree(ROOT / "packaging" / "python", stage, ignore=shutil.ignore_patterns("__pycache__", "_program"))
    shutil.copy(ROOT / "LICENSE", stage)
    program = stage / "headscope" / "_program"
    version = collect(build, program, with_torch=False)
    (program / "torch-version").write_text(version + "\n")
    subprocess.run([sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", out, stage], check=True,
                   env=dict(os.environ, HEADSCOPE_PLATFORM=glibc_platform()))
    for wheel in out.glob("headscope-*.whl"):
        output("advzip", "--recompress", wheel)  # a twentieth smaller than by Python


def make_bundle(build, out):
    version = re.search(r"VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text().partition("project(HeadScope")[2])[1]
    name = f"headscope-{version}-linux-{platform.machine()}"
    stage = ROOT / "build" / "bundle" / name
    shutil.rmtree(stage, ignore_errors=True)
    collect(build, stage, with_torch=True)
    (stage / "headscope").write_text(LAUNCHER)
    (stage / "headscope").chmod(0o755)
    with tarfile.open(out / f"{name}.tar.xz", "w:xz") as archive:
        archive.add(stage, name)


def main():
    kind, build, out = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    out.mkdir(parents=True, exist_ok=True)
    {"wheel": make_wheel, "bundle": make_bundle}[kind](build, out)
    for file in sorted(out.glob("headscope-*")):
        print(f"{file} {file.stat().st_size / 1e6:.1f} MB")


main()
