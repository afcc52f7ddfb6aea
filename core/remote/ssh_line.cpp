#include "remote/ssh_line.h"

#include "base/child_process.h"
#include "base/failure.h"
#include "base/shell_words.h"
#include "base/text_format.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>
#include <csignal>
#include <cstdlib>

namespace hs::remote {
namespace {

constexpr std::size_t kMostErrors = 64 << 10;
constexpr int kPatienceMs = 1'000;  // for a program whose output has ended

constexpr std::string_view kOurWords = "headscope: ";  // before a sentence of the far program

// For whatever login shell there is. The small program starts at once, but old installations have none.
constexpr const char* kFarCommand =
    "exec sh -c 'command -v headscope-serve >/dev/null && exec headscope-serve "
    "--stdio; exec headscope serve --stdio'";

std::string fromEnvironment(const char* name)
{
    const char* const value = std::getenv(name);
    return value ? value : "";
}

bool canAsk()
{
    return !fromEnvironment("SSH_ASKPASS").empty() || isatty(STDERR_FILENO) == 1;
}

std::string farCommandOf(const SshTarget& target)
{
    if (!target.farCommand.empty())
        return target.farCommand;
    const std::string given = fromEnvironment("HEADSCOPE_FAR_COMMAND");
    return given.empty() ? kFarCommand : given;
}

struct Pipe {
    Pipe()
    {
        std::array<int, 2> ends = {-1, -1};
        if (pipe2(ends.data(), O_CLOEXEC) != 0)
            fail(ErrorCode::Internal, "Too many files are open; close some windows.");
        toRead = Descriptor(ends[0]);
        toWrite = Descriptor(ends[1]);
    }

    Descriptor toRead, toWrite;
};

struct Trouble {
    const char* sign;  // in what ssh said, in small letters
    const char* sentence;
};

// The first that fits counts. HOST stands for the host.
constexpr std::array kTroubles = {
    Trouble{"host key verification failed",
            "HOST is not known, or not the machine it was; run \"ssh HOST\" once and look at what it asks."},
    Trouble{"remote host identification has changed",
            "HOST is not the machine it was; run \"ssh HOST\" once and look at what it says."},
    Trouble{"permission denied", "HOST does not let you in without a password; run \"ssh-copy-id HOST\", or "
                                 "add your key with ssh-add."},
    Trouble{"could not resolve hostname",
            "There is no machine called HOST; check the name, and the network."},
    Trouble{"connection refused", "HOST takes no ssh connections; check that its ssh server runs."},
    Trouble{"timed out", "HOST does not answer; check that it is on, and the network."},
    Trouble{"no route to host", "HOST cannot be reached; check that it is on, and the network."},
    Trouble{"network is unreachable", "HOST cannot be reached; check the network."},
    Trouble{"not responding", "HOST stopped answering; check that it is on, and the network."},
};

std::string withHost(std::string sentence, const std::string& host)
{
    for (std::size_t at = 0; (at = sentence.find("HOST", at)) != std::string::npos; at += host.size())
        sentence.replace(at, 4, host);
    return sentence;
}

/// The last line that says something.
std::string lastLine(std::string text)
{
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back())))
        text.pop_back();
    return shortened(text.substr(text.find_last_of("\r\n") + 1), 300);
}

Error troubleOf(const SshTarget& target, int exitCode, const std::string& said)
{
    const std::string& host = target.host;
    const std::string given = farCommandOf(target);
    const std::string command = given == kFarCommand ? "headscope serve --stdio" : given;
    if (exitCode == 127)
        return {ErrorCode::NotFound,
                host + " has no program for \"" + command +
                    "\"; install HeadScope there, or say where it is with HEADSCOPE_FAR_COMMAND=\"exec "
                    "/path/to/headscope serve --stdio\".",
                said};
    if (exitCode == 126)
        return {ErrorCode::Unsupported,
                host + " may not run \"" + command + "\"; make it executable there with chmod +x.", said};
    std::string small = said;
    std::ranges::transform(small, small.begin(), [](unsigned char letter) { return std::tolower(letter); });
    if (exitCode == 255)
        for (const Trouble& trouble : kTroubles)
            if (small.find(trouble.sign) != std::string::npos)
                return {ErrorCode::NotFound, withHost(trouble.sentence, host), said};
    const std::string last = lastLine(said);
    if (last.starts_with(kOurWords))
        return {ErrorCode::NotFound, "On " + host + ": " + last.substr(kOurWords.size()), said};
    return {ErrorCode::NotFound,
            "The line to " + host + " ended" +
                (last.empty() ? exitCode == 0 ? std::string() : " with code " + std::to_string(exitCode)
                              : ": \"" + last + "\"") +
                "; connect again, or try \"ssh " + host + "\".",
            said};
}

class SshLine : public Line {
public:
    SshLine(SshTarget target, Descriptor in, Descriptor out, Descriptor err, pid_t child)
        : Line(target.host, std::move(in), std::move(out)), m_target(std::move(target)),
          m_err(std::move(err)), m_child(child)
    {
        fcntl(m_err.number(), F_SETFL, O_NONBLOCK);
    }
    ~SshLine() override { exitCode(kPatienceMs / 2); }

    bool mayAsk() const override { return canAsk(); }

    void attend() override
    {
        std::array<char, 4096> buffer;
        for (;;) {
            const ssize_t count = m_err ? read(m_err.number(), buffer.data(), buffer.size()) : 0;
            if (count <= 0)
                return;
            m_said.append(buffer.data(), static_cast<std::size_t>(count));
            if (m_said.size() > kMostErrors)
                m_said.erase(0, m_said.size() - kMostErrors);
        }
    }

    Error ending(const std::string& heard) override
    {
        const int code = exitCode(kPatienceMs);
        if (!heard.empty() && code != 126 && code != 127 && code != 255)
            return {ErrorCode::BadFile, answeredInstead(host(), heard), heard + m_said};
        return troubleOf(m_target, code, m_said);
    }

private:
    /// Ends the program if it does not end by itself; 128 + signal if it was killed.
    int exitCode(int patienceMs)
    {
        close();
        for (int waited = 0; m_child > 0; waited += 10) {
            attend();
            int status = 0;
            if (waitpid(m_child, &status, WNOHANG) == m_child) {
                m_child = 0;
                m_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
            } else if (waited >= patienceMs) {
                kill(m_child, waited >= patienceMs + 500 ? SIGKILL : SIGTERM);
            }
            if (m_child > 0)
                poll(nullptr, 0, 10);
        }
        attend();
        m_err.close();
        return m_code;
    }

    SshTarget m_target;
    Descriptor m_err;
    pid_t m_child;  // 0 once it has ended
    int m_code = 0;
    std::string m_said;  // on its standard error, the last of it
};

}  // namespace

std::vector<std::string> sshWords(const SshTarget& target)
{
    const std::string& host = target.host;
    const bool hasControl =
        std::ranges::any_of(host, [](unsigned char letter) { return letter <= ' ' || letter == 0x7f; });
    if (host.empty() || host.front() == '-' || hasControl)
        fail(ErrorCode::BadRequest,
             "\"" + shortened(host) + "\" is not the name of a machine; write it as for ssh: user@gpu.");
    const std::string program = fromEnvironment("HEADSCOPE_SSH");
    std::vector<std::string> words = shellWords(program.empty() ? "ssh" : program);
    if (words.empty())
        fail(ErrorCode::BadRequest, "HEADSCOPE_SSH names no program; unset it, or write one: ssh -F file.");
    for (const char* const option :
         {"-T", "-oRemoteCommand=none", "-oServerAliveInterval=5", "-oServerAliveCountMax=3",
          "-oControlMaster=no", "-oCompression=no", "-oClearAllForwardings=yes", "-oPermitLocalCommand=no",
          "-oConnectTimeout=15"})
        words.emplace_back(option);
    if (!canAsk())
        words.emplace_back("-oBatchMode=yes");
    words.insert(words.end(), {"--", host, farCommandOf(target)});
    return words;
}

std::unique_ptr<Line> openSshLine(const SshTarget& target)
{
    const std::vector<std::string> words = sshWords(target);
    Pipe in, out, err;
    const pid_t child =
        startChild(words, {}, {in.toRead.number(), out.toWrite.number(), err.toWrite.number()},
                   ChildTie::DeafToInterrupt);
    return std::make_unique<SshLine>(target, std::move(out.toRead), std::move(in.toWrite),
                                     std::move(err.toRead), child);
}

}  // namespace hs::remote
