#pragma once

#include "base/descriptor.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace hs::remote {

/// Makes a folder that is this user's alone. One that exists must be that already, else Failure: a folder that
/// others can change is not mended, for it cannot be trusted.
void makePrivateFolder(const std::filesystem::path& folder);

/// Connects to a socket of a process of this user; none if nobody listens there or it is somebody else's.
Descriptor connectTo(const std::filesystem::path& socket);

/// Whether the other end of a socket is a process of this user.
bool isOwnPeer(int socket);

/// Listens at a path, in place of what is there. Throws Failure.
Descriptor listenAt(const std::filesystem::path& socket);

/// The lock that a folder's daemon holds as long as it runs; none if another process has it.
Descriptor lockFolder(const std::filesystem::path& folder);
std::filesystem::path lockIn(const std::filesystem::path& folder);

/// Which file a path names, whatever it is called.
struct FileId {
    std::uint64_t device = 0;
    std::uint64_t number = 0;

    friend bool operator==(const FileId&, const FileId&) = default;
};
std::optional<FileId> fileAt(const std::filesystem::path& path);

void writeLog(const std::filesystem::path& folder, const std::string& line);
/// The log's last lines, for a message.
std::string lastOfLog(const std::filesystem::path& folder);
/// Keeps the log short.
void trimLog(const std::filesystem::path& folder);

}  // namespace hs::remote
