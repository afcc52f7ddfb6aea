#include "text/blocks.h"

#include "base/failure.h"
#include "base/untrusted_text.h"
#include "text/words.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>

namespace hs::text {
namespace {

constexpr int kLastToken = 1 << 24;
constexpr std::size_t kNameBytes = 24;  // of what a block says

bool isBlank(std::string_view text)
{
    return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

bool endsWithAny(std::string_view text, std::span<const std::string_view> ends)
{
    return std::ranges::any_of(ends, [&](std::string_view end) { return text.ends_with(end); });
}

/// Whether a sentence is over after the token: behind its mark, and behind quotes and brackets that close with it.
bool endsSentence(const Token& token, const Token& next)
{
    static constexpr auto kMarks = std::to_array<std::string_view>({".", "!", "?", "…"});
    static constexpr auto kFullMarks =
        std::to_array<std::string_view>({"。", "！", "？"});  // no space follows
    static constexpr auto kClosing = std::to_array<std::string_view>({"\"", "'", ")", "]", "”", "’", "»"});
    std::string_view text = token.text;
    while (endsWithAny(text, kClosing))
        text.remove_suffix(static_cast<unsigned char>(text.back()) < 0x80 ? 1 : text.ends_with("»") ? 2 : 3);
    const bool isSpaced = !next.text.empty() && isBlank(std::string_view(next.text).substr(0, 1));
    return endsWithAny(text, kFullMarks) || (endsWithAny(text, kMarks) && isSpaced);
}

/// Whether a block ends between two neighbours, of which the next is not blank.
bool isCutBetween(BlockUnit unit, const Token& token, const Token& next)
{
    if (unit == BlockUnit::Messages)
        return next.message != token.message && next.message >= 0;
    const bool isOther = next.message != token.message && next.role != TokenRole::Text;
    const bool isInserted = token.begin == token.end || next.begin == next.end;
    if (isOther || isInserted || token.role == TokenRole::Begin)
        return true;
    const bool isLineEnd = token.text.find('\n') != std::string::npos;
    return isLineEnd || (unit == BlockUnit::Sentences && endsSentence(token, next));
}

std::vector<int> wordEnds(std::span<const Token> tokens)
{
    std::vector<int> ends;
    for (int token = 0; token < std::ssize(tokens); token = ends.back())
        ends.push_back(wordAround(tokens, token).last + 1);
    return ends;
}

std::vector<int> cutEnds(BlockUnit unit, std::span<const Token> tokens)
{
    std::vector<int> ends;
    const Token* last = nullptr;  // that is not blank, or ends a line
    for (std::size_t token = 0; token < tokens.size(); ++token) {
        const Token& next = tokens[token];
        const bool isPart = unit != BlockUnit::Messages && isBlank(next.text) && next.begin != next.end;
        if (last && !isPart && isCutBetween(unit, *last, next))
            ends.push_back(static_cast<int>(token));
        if (!last || !isPart || next.text.find('\n') != std::string::npos)
            last = &next;
    }
    ends.push_back(static_cast<int>(tokens.size()));
    return ends;
}

std::vector<int> ownEnds(const std::vector<OwnBlock>& own, int tokens)
{
    std::vector<int> ends;
    const auto alone = [&](int end) {
        for (int token = ends.empty() ? 0 : ends.back(); token < end; ++token)
            ends.push_back(token + 1);
    };
    for (const OwnBlock& block : own) {
        const int first = block.tokens.first, end = std::min(block.tokens.last + 1, tokens);
        if (first < (ends.empty() ? 0 : ends.back()) || first >= end)
            continue;
        alone(first);
        ends.push_back(end);
    }
    alone(tokens);
    return ends;
}

/// The first words of a text, in one line.
std::string shortened(std::string_view text)
{
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos)
        return std::string(text);
    text = text.substr(first, text.find_last_not_of(" \t\r\n") + 1 - first);
    std::string name(text.substr(0, text.find('\n')));
    std::size_t end = name.size();
    if (end > kNameBytes) {
        end = kNameBytes;
        while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xc0u) == 0x80u)
            --end;
        if (const std::size_t space = name.rfind(' ', end);
            space != std::string::npos && space > kNameBytes / 2)
            end = space;
    }
    return end < text.size() ? name.substr(0, end) + "…" : name;
}

/// "user 2": whose message it is, and the how manieth of theirs. A system message may stand inside another one.
class MessageNames {
public:
    std::string next(std::span<const Token> message, bool isLast)
    {
        const auto words = std::find_if(message.rbegin(), message.rend(), [](const Token& token) {
            return token.role == TokenRole::System || token.role == TokenRole::User ||
                   token.role == TokenRole::Assistant;
        });
        if (words == message.rend()) {
            const int number = message.front().message;
            return number < 0 ? message.front().text
                   : isLast   ? "answer"
                              : "message " + std::to_string(number + 1);
        }
        const std::string role(wordOf(words->role));
        const int number = ++m_counts[words->role];
        return words->role == TokenRole::System ? role : role + " " + std::to_string(number);
    }

private:
    std::map<TokenRole, int> m_counts;
};

/// "3", or "3-8".
std::optional<TokenSpan> spanFrom(std::string_view text)
{
    int first = 0;
    const char* const end = text.data() + text.size();
    auto read = std::from_chars(text.data(), end, first);
    if (read.ec != std::errc() || first < 0)
        return std::nullopt;
    int last = first;
    if (read.ptr != end && *read.ptr == '-')
        read = std::from_chars(read.ptr + 1, end, last);
    if (read.ec != std::errc() || read.ptr != end || last < first || last > kLastToken)
        return std::nullopt;
    return TokenSpan(first, last);
}

std::string nameFrom(std::string_view text)
{
    std::string name;
    for (const char letter : text.substr(0, kLongestBlockName))
        name += letter == ',' || static_cast<unsigned char>(letter) < ' ' ? ' ' : letter;
    const std::size_t first = name.find_first_not_of(' ');
    return first == std::string::npos ? "" : name.substr(first, name.find_last_not_of(' ') + 1 - first);
}

}  // namespace

void BlockChoice::mark(const OwnBlock& block)
{
    std::erase_if(own, [&](const OwnBlock& other) {
        return other.tokens.first <= block.tokens.last && block.tokens.first <= other.tokens.last;
    });
    const auto place = std::ranges::upper_bound(own, block.tokens.first, {},
                                                [](const OwnBlock& other) { return other.tokens.first; });
    own.insert(place, {block.tokens, nameFrom(block.name)});
    unit = BlockUnit::Own;
}

void BlockChoice::unmark(int token)
{
    std::erase_if(own, [&](const OwnBlock& block) { return block.tokens.contains(token); });
}

std::string toString(const std::vector<OwnBlock>& own)
{
    std::string text;
    for (const auto& [tokens, name] : own) {
        text += (text.empty() ? "" : ",") + std::to_string(tokens.first);
        if (tokens.last > tokens.first)
            text += "-" + std::to_string(tokens.last);
        if (!name.empty())
            text += "=" + name;
    }
    return text;
}

std::string toString(const BlockChoice& choice)
{
    return choice.unit == BlockUnit::Own ? toString(choice.own) : std::string(wordOf(choice.unit));
}

Result<BlockChoice> parseBlocks(std::string_view text)
{
    const auto refuse = [&](const std::string& reason) {
        return Error{ErrorCode::BadRequest,
                     quotedName(text) + " " + reason +
                         "; give words, sentences, lines, messages or tokens, or "
                         "your own blocks with the later position behind the "
                         "earlier one: 0-4=question,5-12.",
                     {}};
    };
    if (const auto unit = fromWord<BlockUnit>(text); unit && unit != BlockUnit::Own)
        return BlockChoice{*unit};
    BlockChoice choice{BlockUnit::Own};
    for (std::string_view rest = text; !rest.empty();) {
        const std::string_view item = rest.substr(0, rest.find(','));
        rest.remove_prefix(std::min(rest.size(), item.size() + 1));
        const std::size_t equals = std::min(item.find('='), item.size());
        const std::optional<TokenSpan> span = spanFrom(item.substr(0, equals));
        if (!span)
            return refuse("names no blocks");
        if (!choice.own.empty() && span->first <= choice.own.back().tokens.last)
            return refuse("has blocks that overlap or stand in another order than in the text");
        choice.own.push_back({*span, nameFrom(item.substr(std::min(equals + 1, item.size())))});
    }
    return choice;
}

Blocks blocksOf(const BlockChoice& choice, std::span<const Token> tokens)
{
    const bool isChat = std::ranges::any_of(tokens, [](const Token& token) { return token.message >= 0; });
    if (choice.isNone() || tokens.empty() || (choice.unit == BlockUnit::Messages && !isChat))
        return {};
    const int count = static_cast<int>(tokens.size());
    TokenSpans spans(choice.unit == BlockUnit::Words ? wordEnds(tokens)
                     : choice.unit == BlockUnit::Own ? ownEnds(choice.own, count)
                                                     : cutEnds(choice.unit, tokens));
    if (!spans.folds())
        return {};
    Blocks blocks{std::move(spans), {}};
    MessageNames messages;
    for (int block = 0; block < blocks.spans.count(); ++block) {
        const int begin = blocks.spans.begin(block);
        const auto inside = tokens.subspan(static_cast<std::size_t>(begin),
                                           static_cast<std::size_t>(blocks.spans.size(block)));
        const auto own = std::ranges::find_if(choice.own, [&](const OwnBlock& each) {
            return each.tokens.first == begin && !each.name.empty();
        });
        std::string text;
        for (const Token& token : inside)
            text += token.text;
        const bool isShort = inside.size() == 1 || choice.unit == BlockUnit::Words;
        blocks.names.push_back(choice.unit == BlockUnit::Messages
                                   ? messages.next(inside, block + 1 == blocks.spans.count())
                               : choice.unit == BlockUnit::Own && own != choice.own.end() ? own->name
                               : isShort                                                  ? text
                                                                                          : shortened(text));
    }
    return blocks;
}

std::vector<Token> tokensOf(const Blocks& blocks, std::span<const Token> tokens)
{
    std::vector<std::int64_t> ids;
    for (const Token& token : tokens)
        ids.push_back(token.id);
    const std::vector<std::int64_t> idsOfBlocks = blocks.spans.idsOf(ids);
    std::vector<Token> named;
    for (int block = 0; block < blocks.spans.count(); ++block) {
        const Token& first = tokens[static_cast<std::size_t>(blocks.spans.begin(block))];
        const Token& last = tokens[static_cast<std::size_t>(blocks.spans.end(block) - 1)];
        const auto index = static_cast<std::size_t>(block);
        named.push_back({idsOfBlocks[index], blocks.names[index], first.begin, last.end,
                         blocks.spans.size(block) == 1 ? first.role : TokenRole::Text, first.message});
    }
    return named;
}

}  // namespace hs::text
