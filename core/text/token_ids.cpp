#include "text/token_ids.h"

#include "base/failure.h"

#include <charconv>
#include <sstream>

namespace hs::text {

Result<std::vector<std::int64_t>> parseTokenIds(const std::string& text)
{
    return guarded([&] {
        std::vector<std::int64_t> ids;
        std::istringstream items(text);
        for (std::string item; std::getline(items, item, ',');) {
            item.erase(0, item.find_first_not_of(' '));
            item.erase(item.find_last_not_of(' ') + 1);
            std::int64_t id = 0;
            const auto [end, code] = std::from_chars(item.data(), item.data() + item.size(), id);
            if (code != std::errc() || end != item.data() + item.size())
                fail(ErrorCode::BadRequest,
                     "\"" + item.substr(0, 40) + "\" is not a token id; write whole numbers: 1,2,3.");
            ids.push_back(id);
        }
        return ids;
    });
}

}  // namespace hs::text
