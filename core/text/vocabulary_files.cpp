#include "text/vocabulary_files.h"

#include "base/failure.h"
#include "base/text_format.h"

namespace hs::text {
namespace {

/// Ids may have gaps, but each takes up room for all below it.
std::int64_t idLimitOf(std::size_t tokens)
{
    return static_cast<std::int64_t>((1u << 16) + 8 * tokens);
}

}  // namespace

Vocabulary readVocabulary(const Json& json)
{
    if (!json.is_object())
        fail(ErrorCode::BadFile,
             "The tokenizer's vocabulary is not an object of tokens; fetch its files again.");
    Vocabulary vocabulary;
    const std::int64_t limit = idLimitOf(json.size());
    for (const auto& [text, id] : json.items()) {
        if (!id.is_number_integer())
            fail(ErrorCode::BadFile, "The vocabulary gives '" + shortened(text) +
                                         "' an id that is no number; fetch its files again.");
        vocabulary.add(text, id.get<std::int64_t>(), limit);
    }
    return vocabulary;
}

void appendMergeLine(std::string_view line, Bpe::Merges& merges)
{
    if (line.starts_with("#version"))
        return;
    const std::size_t space = line.find(' ');
    if (space == std::string_view::npos || line.find(' ', space + 1) != std::string_view::npos)
        fail(ErrorCode::BadFile, "The tokenizer has a merge that is not two tokens ('" + shortened(line) +
                                     "'); fetch its files again.");
    merges.emplace_back(line.substr(0, space), line.substr(space + 1));
}

Bpe::Merges readMergeLines(std::string_view text)
{
    Bpe::Merges merges;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        std::string_view line = text.substr(0, end);
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        if (line.ends_with('\r'))
            line.remove_suffix(1);
        if (!line.empty())
            appendMergeLine(line, merges);
    }
    return merges;
}

}  // namespace hs::text
