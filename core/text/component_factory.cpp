#include "text/component_factory.h"

#include "base/failure.h"
#include "base/text_format.h"
#include "text/text_growth.h"
#include "text/time_limit.h"
#include "text/unicode_normalize.h"
#include "text/utf8.h"

#include <limits>
#include <utility>

namespace hs::text {

namespace {

constexpr int kMaxDepth = 16;  // of sequences inside sequences
constexpr int kMost = std::numeric_limits<int>::max();

/// The parts of a "Sequence", each made by `make`.
template <class Part>
std::vector<Part> makeParts(const JsonReader& fields, const char* name, int depth,
                            Part (*make)(const JsonReader&, int))
{
    if (depth >= kMaxDepth)
        fields.bad("is nested too deeply");
    std::vector<Part> parts;
    for (const JsonReader& part : fields[name].items())
        parts.push_back(make(part, depth + 1));
    return parts;
}

/// Of a text on its way: its bytes, and those of what it was made of.
struct Extent {
    std::size_t bytes, source;
};

template <class Text>
Extent extentOf(const Text& text)
{
    if constexpr (std::is_same_v<Text, AlignedText>)
        return {text.size(), text.origin().size()};
    else if constexpr (std::is_same_v<Text, Pieces>)
        return extentOf(text.text);
    else
        return {bytesOf(text), bytesOf(text)};
}

/// Applies parts one after another, as long as that takes neither ages nor room without end.
template <class Text>
std::function<void(Text&)> inTurn(std::vector<std::function<void(Text&)>> parts)
{
    return [parts = std::move(parts)](Text& text) {
        const std::size_t source = extentOf(text).source;
        for (const auto& part : parts) {
            TimeLimit::check();
            part(text);
            requireModestGrowth(extentOf(text).bytes, source);
        }
    };
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

Prepend makePrepend(const JsonReader& fields)
{
    const std::string scheme = fields["prepend_scheme"].text("always");
    const std::optional<Prepend> prepend = fromWord<Prepend>(scheme);
    if (!prepend)
        refuseUnsupported(fields, "the prepend_scheme '" + scheme + "'");
    const bool hasPrefix = fields["add_prefix_space"].flag(true);
    if (!hasPrefix && *prepend != Prepend::Never && fields["prepend_scheme"])
        fields.bad("has an 'add_prefix_space' that contradicts its 'prepend_scheme'");
    return hasPrefix ? *prepend : Prepend::Never;
}

Normalizer normalizer(const JsonReader& fields, int depth)
{
    const std::string type = fields["type"].text();
    if (const auto form = fromWord<NormalForm>(type))
        return [form = *form](AlignedText& text) { text = normalizeUnicode(text, form); };
    if (type == "Lowercase")
        return toLowerCase;
    if (type == "Strip")
        return [left = fields["strip_left"].flag(), right = fields["strip_right"].flag()](AlignedText& text) {
            strip(text, left, right);
        };
    if (type == "Prepend")
        return [prefix = fields["prepend"].text()](AlignedText& text) { prepend(text, prefix); };
    if (type == "Replace")
        return [pattern = makePattern(fields), content = fields["content"].text()](AlignedText& text) {
            text = replaceAll(text, pattern, content);
        };
    if (type == "ByteLevel")
        return toByteSymbols;
    if (type == "Sequence")
        return inTurn(makeParts(fields, "normalizers", depth, normalizer));
    refuseUnsupported(fields, "the normalizer '" + type + "'");
}

PreTokenizer preTokenizer(const JsonReader& fields, int depth)
{
    const std::string type = fields["type"].text();
    if (type == "ByteLevel")
        return byteLevelPreTokenizer(fields["add_prefix_space"].flag(), fields["use_regex"].flag(true));
    if (type == "Split")
        return splitPreTokenizer(makePattern(fields), makeBehavior(fields), fields["invert"].flag());
    if (type == "Metaspace")
        return metaspacePreTokenizer(characterFrom(fields["replacement"]), makePrepend(fields),
                                     fields["split"].flag(true));
    if (type == "Digits")
        return digitsPreTokenizer(fields["individual_digits"].flag());
    if (type == "Punctuation")
        return punctuationPreTokenizer(makeBehavior(fields, "Isolated"));
    if (type == "Whitespace")
        return whitespacePreTokenizer();
    if (type == "WhitespaceSplit")
        return whitespaceSplitPreTokenizer();
    if (type == "Sequence")
        return inTurn(makeParts(fields, "pretokenizers", depth, preTokenizer));
    refuseUnsupported(fields, "the pre-tokenizer '" + type + "'");
}

void appendTemplateIds(const JsonReader& fields, const std::string& name, std::vector<TokenId>& ids)
{
    for (const JsonReader& id : fields["special_tokens"][name.c_str()]["ids"].items())
        ids.push_back(static_cast<TokenId>(id.integer(0, kMost)));
}

PostProcessor makeTemplate(const JsonReader& fields)
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
    return templateProcessor(std::move(before), std::move(after));
}

PostProcessor postProcessor(const JsonReader& fields, int depth)
{
    const std::string type = fields["type"].text();
    if (type == "ByteLevel") {
        if (!fields["trim_offsets"].flag())
            return [](std::string_view, bool, std::vector<PromptToken>&) {};
        return [keepFirst = fields["add_prefix_space"].flag()](std::string_view prompt, bool,
                                                               std::vector<PromptToken>& tokens) {
            trimOffsets(prompt, tokens, keepFirst);
        };
    }
    if (type == "TemplateProcessing")
        return makeTemplate(fields);
    if (type == "Sequence")
        return [parts = makeParts(fields, "processors", depth, postProcessor)](
                   std::string_view prompt, bool addSpecial, std::vector<PromptToken>& tokens) {
            for (const PostProcessor& part : parts)
                part(prompt, addSpecial, tokens);
        };
    refuseUnsupported(fields, "the post-processor '" + type + "'");
}

Decoder decoder(const JsonReader& fields, int depth)
{
    const std::string type = fields["type"].text();
    if (type == "ByteLevel")
        return tokenwise(decodeSymbols);
    if (type == "ByteFallback")
        return tokenwise(decodeFallback);
    if (type == "Fuse")
        return fuseDecoder();
    if (type == "Replace")
        return tokenwise(
            [pattern = makePattern(fields), content = fields["content"].text()](DecoderToken& token) {
                // By now the token may be bytes that are not valid text.
                const AlignedText text = AlignedText::fromBytes(token.text);
                token.text = unescapeBytes(replaceAll(text, pattern, content).text());
            });
    if (type == "Strip")
        return stripDecoder(characterFrom(fields["content"]), fields["start"].integer(0, kMost),
                            fields["stop"].integer(0, kMost));
    if (type == "Metaspace")
        return metaspaceDecoder(characterFrom(fields["replacement"]), makePrepend(fields) != Prepend::Never);
    if (type == "WordPiece")
        return wordPieceDecoder(fields["prefix"].text(), fields["cleanup"].flag());
    if (type != "Sequence")
        refuseUnsupported(fields, "the decoder '" + type + "'");
    std::vector<std::function<void(DecoderTokens&)>> all;
    std::vector<std::function<void(DecoderToken&)>> inside;
    for (Decoder& part : makeParts(fields, "decoders", depth, decoder)) {
        all.push_back(std::move(part.apply));
        inside.push_back(std::move(part.applyInside));
    }
    return {inTurn(std::move(all)), inTurn(std::move(inside))};
}

}  // namespace

void refuseUnsupported(const JsonReader& where, const std::string& what)
{
    fail(ErrorCode::Unsupported,
         "This tokenizer needs " + shortened(what) + " (" + where.place() +
             " in tokenizer.json), which is not supported; pass token ids with --tokens instead.");
}

Normalizer makeNormalizer(const JsonReader& fields)
{
    return fields ? normalizer(fields, 0) : nullptr;
}

PreTokenizer makePreTokenizer(const JsonReader& fields)
{
    return fields ? preTokenizer(fields, 0) : nullptr;
}

PostProcessor makePostProcessor(const JsonReader& fields)
{
    return fields ? postProcessor(fields, 0) : nullptr;
}

std::optional<Decoder> makeDecoder(const JsonReader& fields)
{
    return fields ? std::optional(decoder(fields, 0)) : std::nullopt;
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
