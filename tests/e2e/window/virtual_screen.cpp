#include "e2e/window/virtual_screen.h"

#include "e2e/process.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <thread>

namespace hs::test {
namespace {

constexpr auto kPatience = std::chrono::seconds(30);
constexpr auto kPause = std::chrono::milliseconds(20);

/// Number `index` of a dump's header, which is big-endian.
std::uint32_t headerField(const std::string& dump, std::size_t index)
{
    std::uint32_t value = 0;
    for (std::size_t byte = 0; byte < 4; ++byte)
        value = value << 8 | static_cast<unsigned char>(dump.at(4 * index + byte));
    return value;
}

bool isInstalled(const char* program)
{
    return std::filesystem::exists(std::filesystem::path("/usr/bin") / program);
}

}  // namespace

bool eventually(const std::function<bool()>& holds)
{
    const auto end = std::chrono::steady_clock::now() + kPatience;
    while (!holds()) {
        if (std::chrono::steady_clock::now() > end)
            return false;
        std::this_thread::sleep_for(kPause);
    }
    return true;
}

bool VirtualScreen::isAvailable()
{
    return isInstalled("Xvfb") && isInstalled("xdotool");
}

VirtualScreen::VirtualScreen(int width, int height)
{
    const std::string number = (m_folder / "display").string();
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 3, number.c_str(), O_WRONLY | O_CREAT, 0600);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    // A number of its own: servers that look for a free one at the same time may find the same.
    // No reset: a server rejects clients while it resets after its last client has left.
    static constexpr int kFirst = 1000, kCount = 30000;
    m_display = ":" + std::to_string(kFirst + getpid() % kCount);
    m_server = startProcess({"Xvfb", m_display, "-displayfd", "3", "-screen", "0",
                             std::to_string(width) + "x" + std::to_string(height) + "x24", "-fbdir",
                             m_folder.path().string(), "-nolisten", "tcp", "-noreset"},
                            {"PATH=/usr/bin:/bin"}, &actions);
    posix_spawn_file_actions_destroy(&actions);
    const bool isUp = eventually([&] { return std::ifstream(number).peek() != EOF; });
    if (!isUp)
        throw std::runtime_error("Xvfb did not start");
}

VirtualScreen::~VirtualScreen()
{
    ::kill(m_server, SIGTERM);
    waitpid(m_server, nullptr, 0);
}

std::vector<std::uint32_t> VirtualScreen::pixels() const
{
    // A dump as xwd writes it: header, colour table, then 32 bits per pixel.
    std::ifstream file(m_folder / "Xvfb_screen0", std::ios::binary);
    const std::string dump{std::istreambuf_iterator<char>(file), {}};
    const std::uint32_t width = headerField(dump, 4);
    const std::uint32_t height = headerField(dump, 5);
    const std::uint32_t bytesPerLine = headerField(dump, 12);
    const std::size_t begin = headerField(dump, 0) + std::size_t{12} * headerField(dump, 19);
    std::vector<std::uint32_t> pixels;
    for (std::uint32_t y = 0; y < height; ++y) {
        for (std::uint32_t x = 0; x < width; ++x) {
            const std::size_t at = begin + std::size_t{y} * bytesPerLine + std::size_t{4} * x;
            const auto byte = [&](std::size_t offset) {
                return static_cast<std::uint32_t>(static_cast<unsigned char>(dump.at(at + offset)));
            };
            pixels.push_back(byte(2) << 16 | byte(1) << 8 | byte(0));
        }
    }
    return pixels;
}

int VirtualScreen::xdotool(const std::vector<std::string>& arguments)
{
    std::vector<std::string> words = {"xdotool"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    const pid_t child =
        startProcess(std::move(words), {"PATH=/usr/bin:/bin", "DISPLAY=" + m_display}, &actions);
    posix_spawn_file_actions_destroy(&actions);
    int status = 0;
    waitpid(child, &status, 0);
    return exitCodeOf(status);
}

bool VirtualScreen::focusWindow(const std::string& title)
{
    return eventually(
        [&] { return xdotool({"search", "--onlyvisible", "--name", title, "windowfocus"}) == 0; });
}

void VirtualScreen::press(const std::string& keys)
{
    xdotool({"key", "--clearmodifiers", keys});
}

void VirtualScreen::type(const std::string& text)
{
    xdotool({"type", "--delay", "2", "--", text});
}

void VirtualScreen::moveMouse(int x, int y)
{
    xdotool({"mousemove", std::to_string(x), std::to_string(y)});
}

RunningProgram::RunningProgram(const std::vector<std::string>& words,
                               const std::vector<std::string>& environment)
    : m_process(startProcess(words, environment))
{
}

RunningProgram::~RunningProgram()
{
    kill();
}

int RunningProgram::exitCode()
{
    int status = 0;
    const bool hasEnded = eventually([&] { return waitpid(m_process, &status, WNOHANG) == m_process; });
    if (!hasEnded)
        return -1;
    m_process = 0;
    return exitCodeOf(status);
}

void RunningProgram::kill()
{
    if (m_process == 0)
        return;
    ::kill(m_process, SIGKILL);
    waitpid(m_process, nullptr, 0);
    m_process = 0;
}

}  // namespace hs::test
