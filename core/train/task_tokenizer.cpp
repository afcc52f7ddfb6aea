#include "train/task_tokenizer.h"

#include "train/task_words.h"

#include <nlohmann/json.hpp>

namespace hs::train {
namespace {

using OrderedJson = nlohmann::ordered_json;  // the vocabulary reads best by id

OrderedJson specialToken(std::int64_t id)
{
    return {{"id", id},
            {"content", kTaskWords[static_cast<std::size_t>(id)]},
            {"single_word", false},
            {"lstrip", false},
            {"rstrip", false},
            {"normalized", false},
            {"special", true}};
}

OrderedJson sequence(const char* name, int type)
{
    return {{"Sequence", {{"id", name}, {"type_id", type}}}};
}

OrderedJson bosFirst()
{
    const std::string bos(kTaskWords[kBos]);
    const OrderedJson start = {{"SpecialToken", {{"id", bos}, {"type_id", 0}}}};
    OrderedJson special = OrderedJson::object();
    special[bos] = {{"id", bos}, {"ids", OrderedJson::array({kBos})}, {"tokens", OrderedJson::array({bos})}};
    return {{"type", "TemplateProcessing"},
            {"single", OrderedJson::array({start, sequence("A", 0)})},
            {"pair", OrderedJson::array({sequence("A", 0), sequence("B", 1)})},
            {"special_tokens", special}};
}

}  // namespace

std::string taskTokenizerJson()
{
    OrderedJson vocabulary = OrderedJson::object();
    for (std::size_t id = 0; id < kTaskWords.size(); ++id)
        vocabulary[std::string(kTaskWords[id])] = id;
    const OrderedJson json = {
        {"version", "1.0"},
        {"truncation", nullptr},
        {"padding", nullptr},
        {"added_tokens", OrderedJson::array({specialToken(kBos), specialToken(kUnknown)})},
        {"normalizer", nullptr},
        {"pre_tokenizer", {{"type", "WhitespaceSplit"}}},
        {"post_processor", bosFirst()},
        {"decoder", nullptr},
        {"model", {{"type", "WordLevel"}, {"vocab", vocabulary}, {"unk_token", kTaskWords[kUnknown]}}}};
    return json.dump(2) + "\n";
}

}  // namespace hs::train
