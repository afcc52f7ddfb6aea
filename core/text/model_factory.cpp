#include "base/failure.h"
#include "text/bpe.h"
#include "text/component_factory.h"
#include "text/json_fields.h"
#include "text/vocabulary_files.h"
#include "text/word_level.h"

namespace hs {

namespace {

Bpe::Merges readMerges(const JsonFields& fields)
{
    const Json& list = fields.array("merges");
    Bpe::Merges merges;
    merges.reserve(list.size());
    for (const Json& item : list) {
        if (item.is_array() && item.size() == 2 && item[0].is_string() && item[1].is_string())
            merges.emplace_back(item[0].get<std::string>(), item[1].get<std::string>());
        else if (item.is_string())
            appendMergeLine(item.get_ref<const std::string&>(), merges);
        else
            fields.bad("has a merge that is not a pair of tokens");
    }
    return merges;
}

std::unique_ptr<Model> makeBpe(const JsonFields& fields)
{
    if (fields.has("dropout") && fields.at("dropout") != 0.0)
        fields.unsupported("dropout");
    BpeOptions options;
    options.unkToken = fields.string("unk_token", "");
    options.continuingSubwordPrefix = fields.string("continuing_subword_prefix", "");
    options.endOfWordSuffix = fields.string("end_of_word_suffix", "");
    options.fuseUnk = fields.boolean("fuse_unk", false);
    options.byteFallback = fields.boolean("byte_fallback", false);
    options.ignoreMerges = fields.boolean("ignore_merges", false);
    return std::make_unique<Bpe>(readVocabulary(fields.at("vocab")), readMerges(fields), std::move(options));
}

}  // namespace

std::unique_ptr<Model> makeModel(const Json& json)
{
    const JsonFields fields(json, "model");
    // Early files give no type; only BPE has merges.
    const std::string type = fields.string("type", fields.has("merges") ? "BPE" : "none");
    if (type == "BPE")
        return makeBpe(fields);
    if (type == "WordLevel")
        return std::make_unique<WordLevel>(readVocabulary(fields.at("vocab")), fields.string("unk_token"));
    fields.unsupported("the model '" + type + "'");
}

}  // namespace hs
