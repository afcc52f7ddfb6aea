#include "token_output.h"

#include "workspace.h"

namespace hs {

Json tokenJson(std::int64_t id, const Tokenizer* tokenizer)
{
    return {{"id", id}, {"text", tokenText(tokenizer, id)}};
}

Json tokenList(const std::vector<std::int64_t>& ids, const Tokenizer* tokenizer)
{
    Json list = Json::array();
    for (const std::int64_t id : ids)
        list.push_back(tokenJson(id, tokenizer));
    return list;
}

}  // namespace hs
