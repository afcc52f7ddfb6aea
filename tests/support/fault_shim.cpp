// Loaded before the C library (LD_PRELOAD): makes writing AtomicFile's files fail at a chosen step. A step
// is a call that opens, writes, flushes or renames such a file. HS_FAULT says what happens at step
// HS_FAULT_AT: "kill" ends the program, in the middle of the write if it is one; "full" makes the disk full
// from then on; "read-only" lets nothing be created.
#include <dlfcn.h>
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace {

enum class Fault { None, Kill, Full, ReadOnly };

constexpr int kMostHandles = 4096;
std::array<std::atomic<bool>, kMostHandles> isPart;  // [file descriptor]
std::atomic<int> steps = 0;

/// What is to happen at the step that begins now.
Fault nextFault()
{
    static const char* const fault = std::getenv("HS_FAULT");
    static const char* const at = std::getenv("HS_FAULT_AT");
    if (!fault || !at)
        return Fault::None;
    const int step = ++steps;
    const int chosen = std::atoi(at);
    if (std::string_view(fault) == "kill")
        return step == chosen ? Fault::Kill : Fault::None;
    if (std::string_view(fault) == "full")
        return step >= chosen ? Fault::Full : Fault::None;
    return Fault::ReadOnly;
}

[[noreturn]] void die()
{
    ::kill(::getpid(), SIGKILL);
    ::pause();
    std::abort();
}

int refuse(int reason)
{
    errno = reason;
    return -1;
}

bool isPartName(const char* name)
{
    return std::string_view(name).ends_with(".part");
}

bool isPartHandle(int handle)
{
    return handle >= 0 && handle < kMostHandles && isPart[static_cast<std::size_t>(handle)];
}

template <class Function>
Function* original(const char* name)
{
    return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

int openFile(const char* symbol, const char* name, int flags, mode_t mode)
{
    const bool isCreated = (flags & O_CREAT) != 0 && isPartName(name);
    if (isCreated) {
        const Fault fault = nextFault();
        if (fault == Fault::Kill)
            die();
        if (fault == Fault::ReadOnly)
            return refuse(EROFS);
        if (fault == Fault::Full)
            return refuse(ENOSPC);
    }
    const int handle = original<int(const char*, int, ...)>(symbol)(name, flags, mode);
    if (handle >= 0 && handle < kMostHandles)
        isPart[static_cast<std::size_t>(handle)] = isCreated;
    return handle;
}

ssize_t writeFile(const char* symbol, int handle, const void* bytes, std::size_t count, off_t offset)
{
    const auto write = original<ssize_t(int, const void*, std::size_t, off_t)>(symbol);
    const Fault fault = isPartHandle(handle) ? nextFault() : Fault::None;
    if (fault == Fault::None || fault == Fault::ReadOnly)
        return write(handle, bytes, count, offset);
    write(handle, bytes, count / 2, offset);
    if (fault == Fault::Kill)
        die();
    return refuse(ENOSPC);
}

mode_t modeOf(int flags, va_list arguments)
{
    return (flags & O_CREAT) != 0 ? static_cast<mode_t>(va_arg(arguments, int)) : 0;
}

}  // namespace

#pragma GCC visibility push(default)
extern "C" {

int open(const char* name, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    const mode_t mode = modeOf(flags, arguments);
    va_end(arguments);
    return openFile("open", name, flags, mode);
}

int open64(const char* name, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    const mode_t mode = modeOf(flags, arguments);
    va_end(arguments);
    return openFile("open64", name, flags, mode);
}

ssize_t pwrite(int handle, const void* bytes, std::size_t count, off_t offset)
{
    return writeFile("pwrite", handle, bytes, count, offset);
}

ssize_t pwrite64(int handle, const void* bytes, std::size_t count, off_t offset)
{
    return writeFile("pwrite64", handle, bytes, count, offset);
}

int fsync(int handle)
{
    const Fault fault = isPartHandle(handle) ? nextFault() : Fault::None;
    if (fault == Fault::Kill)
        die();
    if (fault == Fault::Full)
        return refuse(ENOSPC);
    return original<int(int)>("fsync")(handle);
}

int rename(const char* from, const char* to) noexcept
{
    if (isPartName(from) && nextFault() == Fault::Kill)
        die();
    return original<int(const char*, const char*)>("rename")(from, to);
}

}  // extern "C"
#pragma GCC visibility pop
