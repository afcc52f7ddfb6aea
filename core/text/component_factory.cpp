#include "text/component_factory.h"

#include "base/failure.h"
#include "base/text_format.h"
#include "text/utf8.h"

#include <limits>
#include <utility>

namespace hs::text {

namespace {

constexpr int kMaxDepth = 16;  // of sequences inside sequences
constexpr int kMost = std::numeric_limits<int>::max();

/// The parts of a "Sequence", each made by `make`.
template <class Component, class Make>
std::vector<std::unique_ptr<Component>> makeParts(const JsonReader& fields, const char* name, int depth,
                                                  Make&& make)
{
    if (depth >= kMaxDepth)
        fields.bad("is nested too deeply");
    std::vector<std::unique_ptr<Component>> parts;
    for (const JsonReader& part : fields[name].items())
        parts.push_back(make(part, depth + 1));
    return parts;
}

Pattern makePattern(const JsonReader& fields)
{
    const JsonReader pattern = fields["pattern"];
    if (pattern["String"])
        return Pattern::literal(pattern["String"].text());
    return Pattern::regex(Regex(pattern["Regex"].text()));
}

std::string characterFrom(const JsonReader& field)
{
    std::string value = field.text();
    if (value.empty() || value.size() != utf8Length(value.front()))
        field.refuse("one character");
    return value;
}

SplitBehavior makeBehavior(const JsonReader& fields, std::optional<std::string> otherwise = {})
{
    const std::string name = fields["behavior"].text(std::move(otherwise));
    if (const auto behavior = fromWord<SplitBehavior>(name))
        return *behavior;
    refuseUnsupported(fields, "the behavior '" + name + "'");
}

MetaspacePreTokenizer::Prepend makePrepend(const JsonReader& fields)
{
    using Prepend = MetaspacePreTokenizer::Prepend;
    const std::string scheme = fields["prepend_scheme"].text("always");
    const std::optional<Prepend> prepend = fromWord<Prepend>(scheme);
    if (!prepend)
        refuseUnsupported(fields, "the prepend_scheme '" + scheme + "'");
    const bool hasPrefix = fields["add_prefix_space"].flag(true);
    if (!hasPrefix && *prepend != Prepend::Never && fields["prepend_scheme"])
        fields.bad("has an 'add_prefix_space' that contradicts its 'prepend_scheme'");
    return hasPrefix ? *prepend : Prepend::Never;
}

std::unique_ptr<Normalizer> normalizer(const JsonReader& fields, int depth)
{
    const std::string type = fields["type"].text();
    if (const auto form = fromWord<NormalForm>(type))
        return std::make_unique<UnicodeNormalizer>(*form);
    if (type == "Lowercase")
        return std::make_unique<LowercaseNormalizer>();
    if (type == "Strip")
        return std::make_unique<StripNormalizer>(fields["strip_left"].flag(), fields["strip_right"].flag());
    if (type == "Prepend")
        return std::make_unique<PrependNormalizer>(fields["prepend"].text());
    if (type == "Replace")
        return std::make_unique<ReplaceNormalizer>(makePattern(fields), fields["content"].text());
    if (type == "ByteLevel")
        return std::make_unique<ByteLevelNormalizer>();
    if (type == "Sequence")
        return std::make_unique<NormalizerSequence>(
            makeParts<Normalizer>(fields, "normalizers", depth, normalizer));
    refuseUnsupported(fields, "the normalizer '" + type + "'");
}

std::unique_ptr<PreTokenizer> preTokenizer(const JsonReader& fields, int depth)
{
    const std::string type = fields["type"].text();
    if (type == "ByteLevel")
        return std::make_unique<ByteLevelPreTokenizer>(fields["add_prefix_space"].flag(),
                                                       fields["use_regex"].flag(true));
    if (type == "Split")
        return std::make_unique<SplitPreTokenizer>(makePattern(fields), makeBehavior(fields),
                                                   fields["invert"].flag());
    if (type == "Metaspace")
        return std::make_unique<MetaspacePreTokenizer>(characterFrom(fields["replacement"]),
                                                       makePrepend(fields), fields["split"].flag(true));
    if (type == "Digits")
        return digitsPreTokenizer(fields["individual_digits"].flag());
    if (type == "Punctuation")
        return punctuationPreTokenizer(makeBehavior(fields, "Isolated"));
    if (type == "Whitespace")
        return whitespacePreTokenizer();
    if (type == "WhitespaceSplit")
        return whitespaceSplitPreTokenizer();
    if (type == "Sequence")
        return std::make_unique<PreTokenizerSequence>(
            makeParts<PreTokenizer>(fields, "pretokenizers", depth, preTokenizer));
    refuseUnsupported(fields, "the pre-tokenizer '" + type + "'");
}

void appendTemplateIds(const JsonReader& fields, const std::string& name, std::vector<TokenId>& ids)
{
    for (const JsonReader& id : fields["special_tokens"][name.c_str()]["ids"].items())
        ids.push_back(static_cast<TokenId>(id.integer(0, kMost)));
}

std::unique_ptr<PostProcessor> templateProcessor(const JsonReader& fields)
{
    std::vector<TokenId> before, after;
    bool seenPrompt = false;
    for (const JsonReader& piece : fields["single"].items()) {
        if (piece["SpecialToken"]) {
            appendTemplateIds(fields, piece["SpecialToken"]["id"].text(), seenPrompt ? after : before);
        } else {
            if (piece["Sequence"]["id"].text() != "A" || std::exchange(seenPrompt, true))
                refuseUnsupported(fields, "a template with more than one sequence");
        }
    }
    if (!seenPrompt)
        refuseUnsupported(fields, "a template without the sequence A");
    return std::make_unique<TemplateProcessor>(std::move(before), std::move(after));
}

std::unique_ptr<PostProcessor> postProcessor(const JsonReader& fields, int depth)
{
    const std::string type = fields["type"].text();
    if (type == "ByteLevel") {
        if (fields["trim_offsets"].flag())
            return std::make_unique<TrimOffsets>(fields["add_prefix_space"].flag());
        return std::make_unique<PostProcessorSequence>(std::vector<std::unique_ptr<PostProcessor>>());
    }
    if (type == "TemplateProcessing")
        return templateProcessor(fields);
    if (type == "Sequence")
        return std::make_unique<PostProcessorSequence>(
            makeParts<PostProcessor>(fields, "processors", depth, postProcessor));
    refuseUnsupported(fields, "the post-processor '" + type + "'");
}

std::unique_ptr<Decoder> decoder(const JsonReader& fields, int depth)
{
    const std::string type = fields["type"].text();
    if (type == "ByteLevel")
        return std::make_unique<ByteLevelDecoder>();
    if (type == "ByteFallback")
        return std::make_unique<ByteFallbackDecoder>();
    if (type == "Fuse")
        return std::make_unique<FuseDecoder>();
    if (type == "Replace")
        return std::make_unique<ReplaceDecoder>(makePattern(fields), fields["content"].text());
    if (type == "Strip")
        return std::make_unique<StripDecoder>(characterFrom(fields["content"]),
                                              fields["start"].integer(0, kMost),
                                              fields["stop"].integer(0, kMost));
    if (type == "Metaspace")
        return std::make_unique<MetaspaceDecoder>(characterFrom(fields["replacement"]),
                                                  makePrepend(fields) !=
                                                      MetaspacePreTokenizer::Prepend::Never);
    if (type == "WordPiece")
        return std::make_unique<WordPieceDecoder>(fields["prefix"].text(), fields["cleanup"].flag());
    if (type == "Sequence")
        return std::make_unique<DecoderSequence>(makeParts<Decoder>(fields, "decoders", depth, decoder));
    refuseUnsupported(fields, "the decoder '" + type + "'");
}

}  // namespace

void refuseUnsupported(const JsonReader& where, const std::string& what)
{
    fail(ErrorCode::Unsupported,
         "This tokenizer needs " + shortened(what) + " (" + where.place() +
             " in tokenizer.json), which is not supported; pass token ids with --tokens instead.");
}

std::unique_ptr<Normalizer> makeNormalizer(const JsonReader& fields)
{
    return fields ? normalizer(fields, 0) : nullptr;
}

std::unique_ptr<PreTokenizer> makePreTokenizer(const JsonReader& fields)
{
    return fields ? preTokenizer(fields, 0) : nullptr;
}

std::unique_ptr<PostProcessor> makePostProcessor(const JsonReader& fields)
{
    return fields ? postProcessor(fields, 0) : nullptr;
}

std::unique_ptr<Decoder> makeDecoder(const JsonReader& fields)
{
    return fields ? decoder(fields, 0) : nullptr;
}

std::vector<AddedToken> readAddedTokens(const JsonReader& list)
{
    std::vector<AddedToken> tokens;
    if (!list)
        return tokens;
    for (const JsonReader& fields : list.items()) {
        const bool isSpecial = fields["special"].flag(false);
        tokens.push_back({fields["content"].text(), fields["single_word"].flag(false),
                          fields["lstrip"].flag(false), fields["rstrip"].flag(false),
                          fields["normalized"].flag(!isSpecial), isSpecial});
    }
    return tokens;
}

}  // namespace hs::text
