#include "fuzz/target.h"

#include "base/failure.h"
#include "base/feature_scale.h"
#include "base/inflate.h"
#include "features/texts/labels.h"
#include "features/texts/texts_file.h"
#include "features/texts/tracer_texts.h"

namespace hs::fuzz {
namespace {

constexpr std::size_t kMostUnpacked = 1 << 20;

void checkTexts(const features::TextsFile& file)
{
    std::vector<features::FeatureTexts> all;
    for (const FeatureId feature : file.features()) {
        const auto texts = guarded([&] { return file.textsOf(feature); });
        if (!texts)
            return requireRefusal(texts.error());
        for (const features::FeatureToken& token : texts->firesOn)
            require(token.context.compare(token.begin, token.text.size(), token.text) == 0,
                    "a token is in its context");
        all.push_back(*texts);
    }
    const std::string written = features::textsJson(all, file.tokens());
    const features::TextsFile again(parseJson(written, "again"), "again");
    require(again.features() == file.features(), "what was read can be written and read again");
    std::vector<features::FeatureTexts> same;
    for (const FeatureId feature : again.features())
        same.push_back(again.textsOf(feature));
    require(features::textsJson(same, again.tokens()) == written, "texts are written as they were read");
}

void check(std::string_view input)
{
    const std::string json(input);
    if (const auto file = guarded([&] { return features::TextsFile(parseJson(json, "texts"), "texts"); }))
        checkTexts(*file);
    else
        requireRefusal(file.error());
    if (const auto labels = guarded([&] { return features::labelsFrom(json, "labels"); }))
        require(features::labelsFrom(features::labelsJson(*labels), "again") == *labels,
                "labels read as they were written");
    else
        requireRefusal(labels.error());
    if (const auto texts = guarded([&] { return features::tracerTexts({0, 1}, json, "record"); }); !texts)
        requireRefusal(texts.error());
    if (const auto index = guarded([&] { return features::tracerIndex(json, "index"); }); !index)
        requireRefusal(index.error());
    if (const auto text =
            guarded([&] { return inflated(std::as_bytes(std::span(json)), kMostUnpacked, "packed"); }))
        require(text->size() <= kMostUnpacked, "no more is unpacked than allowed");
    else
        requireRefusal(text.error());
    if (const auto scale = parseFeatureScale(input))
        require(*parseFeatureScale(toString(*scale)) == *scale, "a scale reads as it was written");
    else
        requireRefusal(scale.error());
}

const Target kTarget("feature_texts", check);

}  // namespace
}  // namespace hs::fuzz
