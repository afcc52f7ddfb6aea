#include "app/support/token_output.h"

#include "app/support/workspace.h"

namespace hs::app {

Json tokenJson(std::int64_t id, const text::Tokenizer* tokenizer)
{
    return {{"id", id}, {"text", tokenText(tokenizer, id)}};
}

Json tokenList(const std::vector<std::int64_t>& ids, const text::Tokenizer* tokenizer)
{
    Json list = Json::array();
    for (const std::int64_t id : ids)
        list.push_back(tokenJson(id, tokenizer));
    return list;
}

}  // namespace hs::app
