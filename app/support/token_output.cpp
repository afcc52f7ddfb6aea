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

Json blockJson(const text::Blocks& blocks, int block)
{
    return {{"text", blocks.names[static_cast<std::size_t>(block)]},
            {"first", blocks.spans.begin(block)},
            {"last", blocks.spans.end(block) - 1}};
}

Json blockList(const text::Blocks& blocks)
{
    Json list = Json::array();
    for (int block = 0; block < blocks.spans.count(); ++block)
        list.push_back(blockJson(blocks, block));
    return list;
}

}  // namespace hs::app
