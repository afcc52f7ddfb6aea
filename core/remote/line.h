#pragma once

#include "base/result.h"

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>

namespace hs::remote {

/// An open way to a daemon: two descriptors, and what is behind them. Used by one thread. Closing it ends what
/// was started for it.
class Line {
public:
    Line(std::string host, int in, int out) : m_host(std::move(host)), m_in(in), m_out(out) {}
    virtual ~Line();
    Line(const Line&) = delete;
    Line& operator=(const Line&) = delete;

    const std::string& host() const { return m_host; }  // how people call the other machine
    int in() const { return m_in; }
    int out() const { return m_out; }

    /// Whether people may be asked something first, which takes them time.
    virtual bool mayAsk() const { return false; }
    /// Called often while the line is open.
    virtual void attend() {}
    /// Why there is nothing more to read, as a sentence with the remedy. `heard` is what came before the first
    /// word of the protocol, if that never came. Ends the line.
    virtual Error ending(const std::string& heard);

protected:
    void close();

private:
    std::string m_host;
    int m_in;
    int m_out;
};

/// A line to a daemon of this user on this machine. Throws Failure.
std::unique_ptr<Line> openSocketLine(const std::filesystem::path& socket);

/// "gpu answered: …", for text in place of the protocol.
std::string answeredInstead(const std::string& host, const std::string& heard);

}  // namespace hs::remote
