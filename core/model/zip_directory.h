#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>

namespace hs::model {

/// The members of an uncompressed zip file, as torch.save writes one: name → bytes inside the
/// mapped file. Compressed members and any range outside the file are refused, so nothing read
/// through it can be larger than the file itself. Throws Failure.
std::map<std::string, std::span<const std::byte>> readZipDirectory(std::span<const std::byte> file,
                                                                   const std::string& what);

}  // namespace hs::model
