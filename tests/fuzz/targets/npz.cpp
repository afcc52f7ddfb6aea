#include "fuzz/target.h"

#include "base/failure.h"
#include "fuzz/memory_file.h"
#include "fuzz/targets/maps_laws.h"

namespace hs::fuzz {
namespace {

void check(std::string_view input)
{
    // Whatever it begins with, it is read as an NPZ file.
    static const MemoryFile kFile;
    requireSoundMaps(kFile.with("PK" + std::string(input.substr(std::min<std::size_t>(2, input.size())))),
                     input.size());
}

const Target kTarget("npz", check);

}  // namespace
}  // namespace hs::fuzz
