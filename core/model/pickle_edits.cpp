#include "model/pickle_edits.h"

#include <algorithm>
#include <utility>

namespace hs::model {

std::string PickleEdits::applied(std::string_view text)
{
    std::ranges::sort(m_edits, {}, [](const Edit& edit) { return std::pair(edit.begin, edit.end); });
    std::string result;
    std::size_t copied = 0;
    for (const Edit& edit : m_edits) {
        result.append(text.substr(copied, edit.begin - copied)).push_back(edit.replacement);
        copied = edit.end;
    }
    return result.append(text.substr(copied));
}

}  // namespace hs::model
