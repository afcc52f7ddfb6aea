#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace hs::model {

/// Edits to a text by position, in any order; none may overlap another.
class PickleEdits {
public:
    void insert(std::size_t at, char inserted) { m_edits.push_back({at, at, inserted}); }
    void replace(std::size_t begin, std::size_t end, char replacement)
    {
        m_edits.push_back({begin, end, replacement});
    }

    std::string applied(std::string_view text);

private:
    struct Edit {
        std::size_t begin;
        std::size_t end;  // equal to begin where something is inserted
        char replacement;
    };

    std::vector<Edit> m_edits;
};

}  // namespace hs::model
