#include "service/generation.h"

#include <algorithm>

namespace hs::service {
namespace {

std::string joinedText(const std::vector<text::Token>& tokens)
{
    std::string text;
    for (const text::Token& token : tokens)
        text += token.text;
    return text;
}

}  // namespace

SideRequest atStep(SideRequest request, int ablateFrom, std::vector<std::int64_t> generated,
                   std::optional<std::int64_t> next)
{
    if (std::ssize(generated) < ablateFrom) {
        request.ablations.clear();
        request.patch.clear();
    }
    request.generated = std::move(generated);
    request.next = next;
    return request;
}

std::vector<text::Token> generatedTokens(const text::Tokenizer* tokenizer,
                                         const std::vector<std::int64_t>& generated, std::uint64_t begin)
{
    std::vector<text::Token> tokens;
    for (const std::int64_t id : generated) {
        std::string text = tokenizer ? tokenizer->tokenText(id) : "#" + std::to_string(id);
        const std::uint64_t end = begin + text.size();
        tokens.push_back({id, std::move(text), begin, end});
        begin = end;
    }
    return tokens;
}

int agreeingTokens(const std::vector<text::Token>& tokens, const std::vector<text::Token>& others)
{
    const std::string other = joinedText(others);
    std::size_t end = 0;
    int count = 0;
    for (const text::Token& token : tokens) {
        if (other.compare(end, token.text.size(), token.text) != 0)
            break;
        end += token.text.size();
        ++count;
    }
    return count;
}

}  // namespace hs::service
