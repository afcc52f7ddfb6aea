#include "remote/state_folder.h"

#include "base/content_hash.h"
#include "base/failure.h"
#include "base/text_format.h"
#include "remote/daemon.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <optional>

namespace hs::remote {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestSocketPath = 100;  // 108 on Linux, 104 elsewhere
constexpr std::uintmax_t kLargestLog = 1 << 20;
constexpr std::size_t kLastOfLog = 600;

std::string ofUser(const char* rest)
{
    return "/tmp/headscope-" + std::to_string(geteuid()) + rest;
}

std::optional<sockaddr_un> addressOf(const fs::path& socket)
{
    sockaddr_un address = {};
    address.sun_family = AF_UNIX;
    if (socket.native().size() >= sizeof address.sun_path)
        return std::nullopt;
    std::memcpy(address.sun_path, socket.c_str(), socket.native().size());
    return address;
}

Descriptor newSocket()
{
    return Descriptor(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
}

bool canHold(const fs::path& folder)
{
    return (folder / "daemon-00.sock.new").native().size() <= kLongestSocketPath;
}

[[noreturn]] void refuseFolder(const fs::path& folder, const std::string& what, const std::string& remedy)
{
    fail(ErrorCode::BadFile, folder.string() + " " + what + "; " + remedy + ".");
}

}  // namespace

fs::path stateFolder()
{
    fs::path folder;
    if (const char* const given = std::getenv("HEADSCOPE_STATE"); given && *given) {
        folder = fs::absolute(given);
    } else {
        const char* const home = std::getenv("HOME");
        if (!home || *home != '/' || access(home, W_OK) != 0)
            return ofUser("");
        folder = fs::path(home) / ".local/state/headscope" / Hello::ours().machine;
    }
    if (canHold(folder))
        return folder;
    ContentHash hash;
    hash.add(std::as_bytes(std::span(folder.native())));
    return ofUser("-") + hash.text();
}

fs::path socketIn(const fs::path& folder)
{
    return folder / ("daemon-" + std::to_string(kProtocolMajor) + ".sock");
}

fs::path logIn(const fs::path& folder)
{
    return folder / ("daemon-" + std::to_string(kProtocolMajor) + ".log");
}

void makePrivateFolder(const fs::path& folder)
{
    std::error_code ignored;
    fs::create_directories(folder.parent_path(), ignored);
    if (mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST)
        refuseFolder(folder, std::string("cannot be made (") + std::strerror(errno) + ")",
                     "free some space, or set HEADSCOPE_STATE to another folder");
    struct stat info = {};
    if (lstat(folder.c_str(), &info) != 0 || !S_ISDIR(info.st_mode))
        refuseFolder(folder, "is not a folder", "remove it");
    if (info.st_uid != geteuid())
        refuseFolder(folder, "belongs to somebody else", "set HEADSCOPE_STATE to a folder of your own");
    if ((info.st_mode & 077) != 0)
        refuseFolder(folder, "is open to other users", "remove it, or run chmod 700 if they were not in it");
}

Descriptor connectTo(const fs::path& socket)
{
    const std::optional<sockaddr_un> address = addressOf(socket);
    Descriptor handle = newSocket();
    if (address && handle &&
        connect(handle.number(), reinterpret_cast<const sockaddr*>(&*address), sizeof *address) == 0 &&
        isOwnPeer(handle.number()))
        return handle;
    return Descriptor();
}

bool isOwnPeer(int socket)
{
    ucred peer = {};
    socklen_t size = sizeof peer;
    return getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid == geteuid();
}

Descriptor listenAt(const fs::path& socket)
{
    // Listens before it has its name: nobody finds it and is turned away.
    const fs::path early = socket.string() + ".new";
    unlink(early.c_str());
    const std::optional<sockaddr_un> address = addressOf(early);
    Descriptor handle = newSocket();
    if (!address || !handle ||
        bind(handle.number(), reinterpret_cast<const sockaddr*>(&*address), sizeof *address) != 0 ||
        chmod(early.c_str(), 0600) != 0 || listen(handle.number(), 16) != 0 ||
        rename(early.c_str(), socket.c_str()) != 0) {
        const std::string reason = address ? std::strerror(errno) : "the path is too long";
        fail(ErrorCode::BadFile, "No socket can be made at " + socket.string() + " (" + reason +
                                     "); set HEADSCOPE_STATE to another folder.");
    }
    return handle;
}

fs::path lockIn(const fs::path& folder)
{
    return folder / ("daemon-" + std::to_string(kProtocolMajor) + ".lock");
}

Descriptor lockFolder(const fs::path& folder)
{
    const fs::path lock = lockIn(folder);
    Descriptor handle(open(lock.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (!handle)
        fail(ErrorCode::BadFile, lock.string() + " cannot be opened (" + std::strerror(errno) +
                                     "); free some space, or set HEADSCOPE_STATE to another folder.");
    if (flock(handle.number(), LOCK_EX | LOCK_NB) != 0)
        handle.close();
    return handle;
}

std::optional<FileId> fileAt(const fs::path& path)
{
    struct stat info = {};
    if (lstat(path.c_str(), &info) != 0)
        return std::nullopt;
    return FileId{info.st_dev, info.st_ino};
}

void writeLog(const fs::path& folder, const std::string& line)
{
    const std::time_t now = std::time(nullptr);
    std::tm parts = {};
    gmtime_r(&now, &parts);
    char stamp[32];
    std::strftime(stamp, sizeof stamp, "%Y-%m-%d %H:%M:%SZ ", &parts);
    std::ofstream(logIn(folder), std::ios::app) << stamp << line << '\n';
}

std::string lastOfLog(const fs::path& folder)
{
    std::ifstream log(logIn(folder), std::ios::binary | std::ios::ate);
    if (!log)
        return {};
    const std::streamoff size = log.tellg();
    log.seekg(std::max<std::streamoff>(0, size - static_cast<std::streamoff>(kLastOfLog)));
    std::string last{std::istreambuf_iterator<char>(log), {}};
    while (!last.empty() && last.back() == '\n')
        last.pop_back();
    return last;
}

void trimLog(const fs::path& folder)
{
    std::error_code error;
    if (fs::file_size(logIn(folder), error) > kLargestLog && !error) {
        fs::copy_file(logIn(folder), logIn(folder).string() + ".old", fs::copy_options::overwrite_existing,
                      error);
        fs::resize_file(logIn(folder), 0, error);  // whoever has it open appends
    }
}

}  // namespace hs::remote
