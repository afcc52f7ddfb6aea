#include "model/zip_directory.h"

#include "base/failure.h"
#include "base/zip_members.h"

namespace hs::model {

std::map<std::string, std::span<const std::byte>> readZipDirectory(std::span<const std::byte> file,
                                                                   const std::string& what)
{
    std::map<std::string, std::span<const std::byte>> members;
    for (const ZipMember& member : readZipMembers(file, {what, "torch file", "fetch it again"})) {
        if (member.isDeflated)
            fail(ErrorCode::BadFile, what + " is not a whole torch file (it holds compressed members, which "
                                            "torch.save never writes); fetch it again.");
        members[member.name] = member.bytes;
    }
    return members;
}

}  // namespace hs::model
