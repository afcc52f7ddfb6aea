#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace hs {

/// One file inside a zip file, as its directory and its own header agree on it.
struct ZipMember {
    std::string name;
    bool isDeflated = false;           // else stored as it is
    std::span<const std::byte> bytes;  // as they lie in the zip file
    std::uint64_t size = 0;            // unpacked
    std::uint32_t checksum = 0;        // CRC-32 of the unpacked bytes
};

/// How a zip file that cannot be trusted is refused: "FILE is not a whole KIND (…); REMEDY."
struct ZipWords {
    std::string file;
    std::string kind;
    std::string remedy;
};

/// The members of a zip file that is in memory, in the order of its directory. Encrypted members, other methods,
/// ranges outside the file, members that share bytes and names that are there twice are refused, and so is a
/// packed member that says to be larger than its bytes can unpack to. Throws Failure.
std::vector<ZipMember> readZipMembers(std::span<const std::byte> file, const ZipWords& words);

}  // namespace hs
