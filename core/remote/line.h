#pragma once

#include "base/descriptor.h"
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
    /// Without `out`, `in` is for both directions.
    Line(std::string host, Descriptor in, Descriptor out = Descriptor())
        : m_host(std::move(host)), m_in(std::move(in)), m_out(std::move(out))
    {
    }
    virtual ~Line() = default;
    Line(const Line&) = delete;
    Line& operator=(const Line&) = delete;

    const std::string& host() const { return m_host; }  // how people call the other machine
    int in() const { return m_in.number(); }
    int out() const { return m_out ? m_out.number() : in(); }

    /// Whether people may be asked something first, which takes them time.
    virtual bool mayAsk() const { return false; }
    /// Called often while the line is open.
    virtual void attend() {}
    /// Why there is nothing more to read, as a sentence with the remedy. `heard` is what came before the first
    /// word of the protocol, if that never came. Ends the line.
    virtual Error ending(const std::string& heard);

protected:
    void close()
    {
        m_in.close();
        m_out.close();
    }

private:
    std::string m_host;
    Descriptor m_in;
    Descriptor m_out;
};

/// A line to a daemon of this user on this machine. Throws Failure.
std::unique_ptr<Line> openSocketLine(const std::filesystem::path& socket);

/// "gpu answered: …", for text in place of the protocol.
std::string answeredInstead(const std::string& host, const std::string& heard);

}  // namespace hs::remote
