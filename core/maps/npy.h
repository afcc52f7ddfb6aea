#pragma once

#include "maps/array.h"

#include <string>

namespace hs::maps {

/// Reads one array as numpy.save writes it. `what` names it in errors: "attention in maps.npz". Python objects
/// are refused, never unpickled. Throws Failure.
Array readNpy(std::span<const std::byte> content, std::shared_ptr<const void> owner, const std::string& what);

}  // namespace hs::maps
