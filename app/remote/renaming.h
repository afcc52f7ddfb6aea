#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hs::app {

/// Gives files their names back in what a command prints on another machine, where they are called otherwise.
/// The text comes in any pieces.
class Renaming {
public:
    using Names = std::vector<std::pair<std::string, std::string>>;  // there, here

    explicit Renaming(Names names) : m_names(std::move(names)) {}

    /// What can be shown by now: all but the possible beginning of a name.
    std::string add(std::string_view text);
    /// Bytes that have come and could not be shown yet.
    std::size_t held() const { return m_held.size(); }
    /// The text has ended.
    std::string rest();

private:
    Names m_names;
    std::string m_held;
};

}  // namespace hs::app
