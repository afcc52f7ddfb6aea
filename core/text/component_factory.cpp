#include "text/component_factory.h"

#include "text/json_fields.h"

#include <utility>

namespace hs {

namespace {

constexpr int kMaxDepth = 16;  // of sequences inside sequences

/// The parts of a "Sequence", each made by `make`.
template <class Component, class Make>
std::vector<std::unique_ptr<Component>> makeParts(const JsonFields& fields, const char* name, int depth,
                                                  Make&& make)
{
    if (depth >= kMaxDepth)
        fields.bad("is nested too deeply");
    std::vector<std::unique_ptr<Component>> parts;
    for (const Json& part : fields.array(name))
        parts.push_back(make(JsonFields(part, fields.place() + '.' + name), depth + 1));
    return parts;
}

Pattern makePattern(const JsonFields& fields)
{
    const JsonFields pattern = fields.object("pattern");
    if (pattern.has("String"))
        return Pattern::literal(pattern.string("String"));
    return Pattern::regex(Regex(pattern.string("Regex")));
}

SplitBehavior makeBehavior(const JsonFields& fields, std::string_view otherwise = {})
{
    static constexpr std::pair<std::string_view, SplitBehavior> kBehaviors[] = {
        {"Removed", SplitBehavior::Removed},
        {"Isolated", SplitBehavior::Isolated},
        {"MergedWithPrevious", SplitBehavior::MergedWithPrevious},
        {"MergedWithNext", SplitBehavior::MergedWithNext},
        {"Contiguous", SplitBehavior::Contiguous}};
    const std::string name =
        otherwise.empty() ? fields.string("behavior") : fields.string("behavior", otherwise);
    for (const auto& [known, behavior] : kBehaviors)
        if (known == name)
            return behavior;
    fields.unsupported("the behavior '" + name + "'");
}

MetaspacePreTokenizer::Prepend makePrepend(const JsonFields& fields)
{
    using Prepend = MetaspacePreTokenizer::Prepend;
    const std::string scheme = fields.string("prepend_scheme", "always");
    if (scheme != "always" && scheme != "first" && scheme != "never")
        fields.unsupported("the prepend_scheme '" + scheme + "'");
    if (!fields.boolean("add_prefix_space", true) && scheme != "never" && fields.has("prepend_scheme"))
        fields.bad("has an 'add_prefix_space' that contradicts its 'prepend_scheme'");
    if (!fields.boolean("add_prefix_space", true))
        return Prepend::Never;
    return scheme == "always" ? Prepend::Always : scheme == "first" ? Prepend::First : Prepend::Never;
}

std::unique_ptr<Normalizer> normalizer(const JsonFields& fields, int depth)
{
    const std::string type = fields.type();
    if (type == "NFC")
        return std::make_unique<UnicodeNormalizer>(NormalForm::Nfc);
    if (type == "NFD")
        return std::make_unique<UnicodeNormalizer>(NormalForm::Nfd);
    if (type == "NFKC")
        return std::make_unique<UnicodeNormalizer>(NormalForm::Nfkc);
    if (type == "NFKD")
        return std::make_unique<UnicodeNormalizer>(NormalForm::Nfkd);
    if (type == "Lowercase")
        return std::make_unique<LowercaseNormalizer>();
    if (type == "Strip")
        return std::make_unique<StripNormalizer>(fields.boolean("strip_left"), fields.boolean("strip_right"));
    if (type == "Prepend")
        return std::make_unique<PrependNormalizer>(fields.string("prepend"));
    if (type == "Replace")
        return std::make_unique<ReplaceNormalizer>(makePattern(fields), fields.string("content"));
    if (type == "ByteLevel")
        return std::make_unique<ByteLevelNormalizer>();
    if (type == "Sequence")
        return std::make_unique<NormalizerSequence>(
            makeParts<Normalizer>(fields, "normalizers", depth, normalizer));
    fields.unsupported("the normalizer '" + type + "'");
}

std::unique_ptr<PreTokenizer> preTokenizer(const JsonFields& fields, int depth)
{
    const std::string type = fields.type();
    if (type == "ByteLevel")
        return std::make_unique<ByteLevelPreTokenizer>(fields.boolean("add_prefix_space"),
                                                       fields.boolean("use_regex", true));
    if (type == "Split")
        return std::make_unique<SplitPreTokenizer>(makePattern(fields), makeBehavior(fields),
                                                   fields.boolean("invert"));
    if (type == "Metaspace")
        return std::make_unique<MetaspacePreTokenizer>(fields.character("replacement"), makePrepend(fields),
                                                       fields.boolean("split", true));
    if (type == "Digits")
        return digitsPreTokenizer(fields.boolean("individual_digits"));
    if (type == "Punctuation")
        return punctuationPreTokenizer(makeBehavior(fields, "Isolated"));
    if (type == "Whitespace")
        return whitespacePreTokenizer();
    if (type == "WhitespaceSplit")
        return whitespaceSplitPreTokenizer();
    if (type == "Sequence")
        return std::make_unique<PreTokenizerSequence>(
            makeParts<PreTokenizer>(fields, "pretokenizers", depth, preTokenizer));
    fields.unsupported("the pre-tokenizer '" + type + "'");
}

void appendTemplateIds(const JsonFields& fields, const std::string& name, std::vector<TokenId>& ids)
{
    const Json& known = fields.at("special_tokens");
    const auto found = known.find(name);
    if (found == known.end() || !found->is_object())
        fields.bad("uses '" + name + "' without giving its ids");
    const JsonFields special(*found, fields.place() + ".special_tokens");
    for (const Json& id : special.array("ids")) {
        if (!id.is_number_unsigned() || id.get<std::uint64_t>() > UINT32_MAX)
            fields.bad("gives '" + name + "' an id that is no number");
        ids.push_back(id.get<TokenId>());
    }
}

std::unique_ptr<PostProcessor> templateProcessor(const JsonFields& fields)
{
    std::vector<TokenId> before, after;
    bool seenPrompt = false;
    for (const Json& item : fields.array("single")) {
        const JsonFields piece(item, fields.place() + ".single");
        if (piece.has("SpecialToken")) {
            appendTemplateIds(fields, piece.object("SpecialToken").string("id"), seenPrompt ? after : before);
        } else {
            const JsonFields sequence = piece.object("Sequence");
            if (sequence.string("id") != "A" || std::exchange(seenPrompt, true))
                fields.unsupported("a template with more than one sequence");
        }
    }
    if (!seenPrompt)
        fields.unsupported("a template without the sequence A");
    return std::make_unique<TemplateProcessor>(std::move(before), std::move(after));
}

std::unique_ptr<PostProcessor> postProcessor(const JsonFields& fields, int depth)
{
    const std::string type = fields.type();
    if (type == "ByteLevel") {
        if (fields.boolean("trim_offsets"))
            return std::make_unique<TrimOffsets>(fields.boolean("add_prefix_space"));
        return std::make_unique<PostProcessorSequence>(std::vector<std::unique_ptr<PostProcessor>>());
    }
    if (type == "TemplateProcessing")
        return templateProcessor(fields);
    if (type == "Sequence")
        return std::make_unique<PostProcessorSequence>(
            makeParts<PostProcessor>(fields, "processors", depth, postProcessor));
    fields.unsupported("the post-processor '" + type + "'");
}

std::unique_ptr<Decoder> decoder(const JsonFields& fields, int depth)
{
    const std::string type = fields.type();
    if (type == "ByteLevel")
        return std::make_unique<ByteLevelDecoder>();
    if (type == "ByteFallback")
        return std::make_unique<ByteFallbackDecoder>();
    if (type == "Fuse")
        return std::make_unique<FuseDecoder>();
    if (type == "Replace")
        return std::make_unique<ReplaceDecoder>(makePattern(fields), fields.string("content"));
    if (type == "Strip")
        return std::make_unique<StripDecoder>(fields.character("content"), fields.count("start"),
                                              fields.count("stop"));
    if (type == "Metaspace")
        return std::make_unique<MetaspaceDecoder>(
            fields.character("replacement"), makePrepend(fields) != MetaspacePreTokenizer::Prepend::Never);
    if (type == "WordPiece")
        return std::make_unique<WordPieceDecoder>(fields.string("prefix"), fields.boolean("cleanup"));
    if (type == "Sequence")
        return std::make_unique<DecoderSequence>(makeParts<Decoder>(fields, "decoders", depth, decoder));
    fields.unsupported("the decoder '" + type + "'");
}

}  // namespace

std::unique_ptr<Normalizer> makeNormalizer(const Json& json)
{
    return json.is_null() ? nullptr : normalizer(JsonFields(json, "normalizer"), 0);
}

std::unique_ptr<PreTokenizer> makePreTokenizer(const Json& json)
{
    return json.is_null() ? nullptr : preTokenizer(JsonFields(json, "pre_tokenizer"), 0);
}

std::unique_ptr<PostProcessor> makePostProcessor(const Json& json)
{
    return json.is_null() ? nullptr : postProcessor(JsonFields(json, "post_processor"), 0);
}

std::unique_ptr<Decoder> makeDecoder(const Json& json)
{
    return json.is_null() ? nullptr : decoder(JsonFields(json, "decoder"), 0);
}

std::vector<AddedToken> readAddedTokens(const Json& json)
{
    std::vector<AddedToken> tokens;
    for (const Json& item : json) {
        const JsonFields fields(item, "added_tokens");
        tokens.push_back({fields.string("content"), fields.boolean("single_word", false),
                          fields.boolean("lstrip", false), fields.boolean("rstrip", false),
                          fields.boolean("normalized", !fields.boolean("special", false)),
                          fields.boolean("special", false)});
    }
    return tokens;
}

}  // namespace hs
