#pragma once

#include <cstddef>
#include <filesystem>

namespace hs::fuzz {

/// Whatever a file of maps holds, it is refused in a sentence, or every block of it can be read, fits its tokens
/// and takes no more memory than its bytes can stand for.
void requireSoundMaps(const std::filesystem::path& file, std::size_t size);

}  // namespace hs::fuzz
