#!/usr/bin/env python3
"""Writes core/text/unicode_tables.inc: the Unicode data that the tokenizers need.

    python3 tests/golden/unicode_tables.py

Needs the `tokenizers` package (made with tokenizers 0.23.3, Python 3.11, Unicode 14.0). The data
comes from Python's unicodedata; where the Hugging Face library is built on an older or a newer
Unicode version its answer decides, so that the program splits and composes text as it does.
"""

import unicodedata
from pathlib import Path

from tokenizers import Regex, normalizers, pre_tokenizers

OUTPUT = Path(__file__).resolve().parents[2] / "core" / "text" / "unicode_tables.inc"
HANGUL_SYLLABLES = range(0xAC00, 0xD7A4)
CODE_POINTS = [c for c in range(0x110000) if not 0xD800 <= c < 0xE000]
CATEGORIES = ("Lu Ll Lt Lm Lo Mn Mc Me Nd Nl No Pc Pd Ps Pe Pi Pf Po "
              "Sm Sc Sk So Zs Zl Zp Cc Cf").split()


def runs(values):
    """Sorted {code point: value} as [first, last, value] of equal neighbours."""
    out = []
    for code, value in sorted(values.items()):
        if out and out[-1][1] == code - 1 and out[-1][2] == value:
            out[-1][1] = code
        else:
            out.append([code, code, value])
    return out


def matching(pattern):
    """The code points that the library's regular expressions find with `pattern`."""
    removed = normalizers.Replace(Regex(pattern), "")
    found = set()
    for start in range(0, len(CODE_POINTS), 4096):
        block = CODE_POINTS[start:start + 4096]
        found |= set(block) - set(map(ord, removed.normalize_str("".join(map(chr, block)))))
    return found


def stand_ins():
    """Code points newer than Unicode 14 -> an older one of the same category and UTF-8 length."""
    han = matching(r"\p{Han}")
    by_kind = {}
    for code in CODE_POINTS:
        kind = (unicodedata.category(chr(code)), len(chr(code).encode()))
        by_kind.setdefault(kind, code)
    table = {0x180E: 0x200B}  # PCRE2 counts this format character as a space
    for category in CATEGORIES:
        for code in matching(r"\p{%s}" % category):
            if unicodedata.category(chr(code)) == "Cn":
                length = len(chr(code).encode())
                table[code] = 0x20000 if code in han else by_kind[(category, length)]
    return table


def decompositions():
    """[code point, is compatibility, is composable, code points], one level deep."""
    nfkd, nfd, nfc = normalizers.NFKD(), normalizers.NFD(), normalizers.NFC()
    out = []
    for code in CODE_POINTS:
        char = chr(code)
        raw = unicodedata.decomposition(char)
        if not raw or code in HANGUL_SYLLABLES or nfkd.normalize_str(char) == char:
            continue
        parts = raw.split()
        compatibility = parts[0].startswith("<")
        parts = [int(p, 16) for p in parts[compatibility:]]
        composable = (not compatibility and len(parts) == 2
                      and nfc.normalize_str(nfd.normalize_str(char)) == char)
        out.append((code, compatibility, composable, parts))
    return out


def combining_classes():
    """Only marks that the library reorders: it is built on an older Unicode version."""
    nfd = normalizers.NFD()
    table = {}
    for code in CODE_POINTS:
        mark = unicodedata.combining(chr(code))
        if mark == 0:
            continue
        behind, before = f"a{chr(code)}\u0334", f"a\u0345{chr(code)}"
        if all(nfd.normalize_str(s) == unicodedata.normalize("NFD", s) for s in (behind, before)):
            table[code] = mark
    return table


def lower_case():
    """Ranges [first, last, step, distance]; the one mapping to two code points is left to the code."""
    lower = normalizers.Lowercase()
    out = []
    for code in CODE_POINTS:
        mapped = lower.normalize_str(chr(code))
        if mapped == chr(code) or code == 0x130:
            continue
        assert len(mapped) == 1, hex(code)
        distance = ord(mapped) - code
        if out and out[-1][3] == distance:
            first, last, step, _ = out[-1]
            if code - last in (1, 2) and (first == last or code - last == step):
                out[-1][1:3] = code, code - last
                continue
        out.append([code, code, 1, distance])
    return out


def punctuation_gaps():
    """Punctuation of the regular expressions that the Punctuation pre-tokenizer does not know."""
    pre = pre_tokenizers.Punctuation()
    return {c: 1 for c in matching(r"\p{P}") if len(pre.pre_tokenize_str(f"a{chr(c)}b")) == 1}


def rows(items, width=104):
    line, lines = "", []
    for item in items:
        if len(line) + len(item) + 2 > width:
            lines.append(line)
            line = ""
        line += (" " if line else "") + item + ","
    return "\n".join(lines + [line])


def table(declaration, items):
    return f"{declaration} = {{\n{rows(items)}\n}};\n"


def main():
    decomposed = []
    for code, compatibility, composable, parts in decompositions():
        decomposed.append(code | len(parts) << 21 | compatibility << 26 | composable << 27)
        decomposed += parts
    text = ["// Written by tests/golden/unicode_tables.py; derived from the Unicode Character Database.\n"]
    text.append("// code point | length << 21 | is compatibility << 26 | is composable << 27, then the parts")
    text.append(table("constexpr std::uint32_t kDecompositions[]", [f"0x{c:x}" for c in decomposed]))
    text.append(table("constexpr CombiningRun kCombiningRuns[]",
                      [f"{{0x{a:x},0x{b:x},{v}}}" for a, b, v in runs(combining_classes())]))
    text.append(table("constexpr LowerRun kLowerRuns[]",
                      [f"{{0x{a:x},0x{b:x},{s},{d}}}" for a, b, s, d in lower_case()]))
    text.append(table("constexpr StandInRun kStandInRuns[]",
                      [f"{{0x{a:x},0x{b:x},0x{v:x}}}" for a, b, v in runs(stand_ins())]))
    gaps = "".join(rf"\x{{{a:x}}}-\x{{{b:x}}}" for a, b, _ in runs(punctuation_gaps()))
    lines = "\n".join(f'    R"({gaps[i:i + 90]})"' for i in range(0, len(gaps), 90))
    text.append(f"constexpr char kPunctuationGaps[] =\n{lines};\n")
    OUTPUT.write_text("\n".join(text), encoding="ascii")


if __name__ == "__main__":
    main()
