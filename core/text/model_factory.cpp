#include "base/failure.h"
#include "base/text_format.h"
#include "text/component_factory.h"

namespace hs::text {

namespace {

/// Ids may have gaps, but each takes up room for all below it.
std::int64_t idLimitOf(std::size_t tokens)
{
    return static_cast<std::int64_t>((1u << 16) + 8 * tokens);
}

/// An object of token → id.
Vocabulary readVocabulary(const Json& json)
{
    if (!json.is_object())
        fail(ErrorCode::BadFile,
             "The tokenizer's vocabulary is not an object of tokens; fetch its files again.");
    Vocabulary vocabulary;
    vocabulary.reserve(json.size());
    const std::int64_t limit = idLimitOf(json.size());
    for (const auto& [text, id] : json.items()) {
        if (!id.is_number_integer())
            fail(ErrorCode::BadFile, "The vocabulary gives '" + shortened(text) +
                                         "' an id that is no number; fetch its files again.");
        vocabulary.add(text, id.get<std::int64_t>(), limit);
    }
    return vocabulary;
}

/// Adds a line of merges.txt, "left right"; version lines are skipped.
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

/// Views into the JSON.
Bpe::Merges readMerges(const JsonReader& fields)
{
    const JsonReader listed = fields["merges"];
    const Json& list = listed.list();
    Bpe::Merges merges;
    merges.reserve(list.size());
    for (const Json& item : list) {
        if (item.is_array() && item.size() == 2 && item[0].is_string() && item[1].is_string())
            merges.emplace_back(item[0].get_ref<const std::string&>(), item[1].get_ref<const std::string&>());
        else if (item.is_string())
            appendMergeLine(item.get_ref<const std::string&>(), merges);
        else
            fields.bad("has a merge that is not a pair of tokens");
    }
    return merges;
}

/// A piece is a token or it is unknown.
class WordLevel : public Model {
public:
    WordLevel(Vocabulary vocabulary, std::string unknown)
        : m_vocabulary(std::move(vocabulary)), m_unknown(std::move(unknown))
    {
    }

    const Vocabulary& vocabulary() const override { return m_vocabulary; }
    EncodePiece encoder() const override
    {
        return [this](std::string_view piece, std::vector<PieceToken>& out) {
            std::optional<TokenId> id = m_vocabulary.idOf(piece);
            if (!id)
                id = m_vocabulary.idOf(m_unknown);
            if (!id)
                fail(ErrorCode::BadRequest, "The vocabulary has neither '" + shortened(piece) +
                                                "' nor a token for unknown words; change the prompt.");
            out.push_back({*id, {0, static_cast<std::uint32_t>(piece.size())}});
        };
    }

private:
    Vocabulary m_vocabulary;
    std::string m_unknown;
};

}  // namespace

std::unique_ptr<Model> makeBpe(const JsonReader& fields, Vocabulary vocabulary, const Bpe::Merges& merges)
{
    if (fields["dropout"] && fields["dropout"].json() != 0.0)
        refuseUnsupported(fields, "dropout");
    BpeOptions options;
    options.unkToken = fields["unk_token"].text("");
    options.continuingSubwordPrefix = fields["continuing_subword_prefix"].text("");
    options.endOfWordSuffix = fields["end_of_word_suffix"].text("");
    options.fuseUnk = fields["fuse_unk"].flag(false);
    options.byteFallback = fields["byte_fallback"].flag(false);
    options.ignoreMerges = fields["ignore_merges"].flag(false);
    return std::make_unique<Bpe>(std::move(vocabulary), merges, std::move(options));
}

std::unique_ptr<Model> makeModel(const JsonReader& fields)
{
    // Early files give no type; only BPE has merges.
    const std::string type = fields["merges"] ? fields["type"].text("BPE") : fields["type"].text();
    if (type == "BPE")
        return makeBpe(fields, readVocabulary(fields["vocab"].json()), readMerges(fields));
    if (type == "WordLevel")
        return std::make_unique<WordLevel>(readVocabulary(fields["vocab"].json()),
                                           fields["unk_token"].text());
    refuseUnsupported(fields, "the model '" + type + "'");
}

}  // namespace hs::text
