#pragma once

#include <string>

namespace hs::lint {

/// Whether ARCHITECTURE.md may name it as an outside library: "Qt Gui", "libtorch", "the standard library".
bool isLibrary(const std::string& name);

/// The library of an include that is not one of our files; "the standard library" if no other one matches.
std::string libraryOf(const std::string& include);

/// Whether users of the first may also use the second: Qt Gui is part of Qt Widgets.
bool isPartOf(const std::string& library, const std::string& part);

}  // namespace hs::lint
