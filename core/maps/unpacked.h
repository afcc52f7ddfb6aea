#pragma once

#include "base/zip_members.h"

#include <memory>
#include <span>
#include <string>

namespace hs::maps {

/// Bytes and what keeps them there.
struct OwnedBytes {
    std::span<const std::byte> bytes;
    std::shared_ptr<const void> owner;
};

/// A packed member as it was: in memory if it is small, else in a temporary file that is mapped and has no name.
/// `what` names it in errors. Throws Failure.
OwnedBytes unpacked(const ZipMember& member, const std::string& what);

/// Fails if the bytes of a member are not those its checksum was made of.
void requireChecksum(const ZipMember& member, std::span<const std::byte> bytes, const std::string& what);

}  // namespace hs::maps
