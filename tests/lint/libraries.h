#pragma once

#include <string>

namespace hs::lint {

/// Whether ARCHITECTURE.md may name it as an outside library: "Qt Gui", "libtorch", "the standard library".
bool isLibrary(const std::string& name);

/// Which of them an include that is none of our files belongs to; "the standard library" for what no other
/// one claims.
std::string libraryOf(const std::string& include);

/// Whether who may use the first may use the second as well: Qt Gui is within Qt Widgets.
bool isPartOf(const std::string& library, const std::string& part);

}  // namespace hs::lint
