#include "fuzz/target.h"

#include "base/failure.h"
#include "model/zip_directory.h"

namespace hs::fuzz {
namespace {

void check(std::string_view input)
{
    const auto file = std::as_bytes(std::span(input));
    const auto members = guarded([&] { return model::readZipDirectory(file, "model.pth"); });
    if (!members)
        return requireRefusal(members.error());
    std::size_t names = 0;
    for (const auto& [name, bytes] : *members) {
        require(bytes.data() >= file.data() && bytes.data() + bytes.size() <= file.data() + file.size(),
                "a member lies inside the file");
        names += name.size();
    }
    require(names <= file.size(), "names take no more memory than the file");
}

const Target kTarget("zip_directory", check);

}  // namespace
}  // namespace hs::fuzz
