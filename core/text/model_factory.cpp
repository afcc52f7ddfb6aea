#include "base/failure.h"
#include "text/bpe.h"
#include "text/component_factory.h"
#include "text/vocabulary_files.h"
#include "text/word_level.h"

namespace hs::text {

namespace {

Bpe::Merges readMerges(const JsonReader& fields)
{
    const JsonReader listed = fields["merges"];
    const Json& list = listed.list();
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

std::unique_ptr<Model> makeBpe(const JsonReader& fields)
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
    return std::make_unique<Bpe>(readVocabulary(fields["vocab"].json()), readMerges(fields),
                                 std::move(options));
}

}  // namespace

std::unique_ptr<Model> makeModel(const JsonReader& fields)
{
    // Early files give no type; only BPE has merges.
    const std::string type = fields["merges"] ? fields["type"].text("BPE") : fields["type"].text();
    if (type == "BPE")
        return makeBpe(fields);
    if (type == "WordLevel")
        return std::make_unique<WordLevel>(readVocabulary(fields["vocab"].json()),
                                           fields["unk_token"].text());
    refuseUnsupported(fields, "the model '" + type + "'");
}

}  // namespace hs::text
