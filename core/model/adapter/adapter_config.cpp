#include "model/adapter/adapter_config.h"

#include "base/failure.h"
#include "base/json_reader.h"
#include "base/untrusted_text.h"

#include <algorithm>
#include <array>

namespace hs::model {
namespace {

constexpr int kLargestRank = 1 << 16;
constexpr double kLargestAlpha = 1e9;
constexpr std::size_t kMostPatterns = 10000;

[[noreturn]] void refuse(const std::filesystem::path& folder, const std::string& what)
{
    fail(ErrorCode::Unsupported, folder.string() + " " + what + "; " + kMergeRemedy);
}

/// Whether a field says anything: neither absent nor null, false, nor empty.
bool isSet(const Json& config, const char* name)
{
    const auto field = config.find(name);
    if (field == config.end() || field->is_null())
        return false;
    if (field->is_boolean())
        return field->get<bool>();
    return !(field->is_structured() || field->is_string()) || !field->empty();
}

void refuseOtherKinds(const JsonReader& reader, const std::filesystem::path& folder)
{
    const std::string kind = reader["peft_type"].text("LORA");
    if (kind == "LORA")
        return;
    static constexpr std::array kReadBefore = {"PROMPT_TUNING", "MULTITASK_PROMPT_TUNING", "P_TUNING",
                                               "PREFIX_TUNING", "ADAPTION_PROMPT",         "CPT"};
    if (std::ranges::count(kReadBefore, kind) > 0)
        fail(ErrorCode::Unsupported, folder.string() + " is an adapter of the kind " + kind +
                                         ", which has a model read learned vectors and leaves its weights as "
                                         "they are, so that it cannot "
                                         "be merged either; use a LoRA adapter.");
    refuse(folder, "is an adapter of the kind " + quotedName(kind) + ", and only LORA is read");
}

/// What an adapter may do besides adding B · A. Field of the config, and what to say.
void refuseOtherWays(const Json& config, const std::filesystem::path& folder)
{
    static constexpr std::array<std::pair<const char*, const char*>, 9> kWays = {
        {{"use_dora", "is a DoRA adapter, which scales the columns of weights as well"},
         {"modules_to_save", "brings whole modules of its own (modules_to_save), which replace the base's"},
         {"lora_bias", "has biases of its own (lora_bias), which are not read"},
         {"layer_replication", "repeats layers of its base (layer_replication)"},
         {"trainable_token_indices", "changes single embeddings (trainable_token_indices)"},
         {"target_parameters", "changes parameters outside of linear modules (target_parameters)"},
         {"alora_invocation_tokens", "works only behind certain tokens (alora_invocation_tokens)"},
         {"use_qalora", "is a QA-LoRA adapter, which reads pooled inputs (use_qalora)"},
         {"use_bdlora", "is a BD-LoRA adapter, whose factors are cut in blocks (use_bdlora)"}}};
    for (const auto& [field, words] : kWays)
        if (isSet(config, field))
            refuse(folder, words);
}

/// These begin with other weights than the base's, which PEFT makes once more when it opens them.
void refuseOtherStarts(const Json& config, const std::filesystem::path& folder)
{
    static constexpr std::array kStarts = {"pissa", "olora", "corda", "loftq"};
    const auto start = config.find("init_lora_weights");
    if (start == config.end() || !start->is_string())
        return;
    const auto& word = start->get_ref<const std::string&>();
    if (std::ranges::any_of(kStarts, [&](const char* known) { return word.starts_with(known); }))
        refuse(folder, "is an adapter of another base, which " + quotedName(word) +
                           " made of the one that it names (init_lora_weights)");
}

template <class Number, class Read>
std::vector<std::pair<std::string, Number>> readPatterns(const JsonReader& reader, const Read& read)
{
    std::vector<std::pair<std::string, Number>> patterns;
    if (!reader)
        return patterns;
    if (!reader.json().is_object() || reader.json().size() > kMostPatterns)
        reader.refuse("an object with the names of modules");
    for (const auto& [pattern, value] : reader.json().items())
        patterns.emplace_back(pattern, read(reader[pattern.c_str()]));
    return patterns;
}

}  // namespace

AdapterConfig readAdapterConfig(const Json& config, const std::filesystem::path& folder)
{
    const JsonReader reader(config, (folder / "adapter_config.json").string(), "save the adapter again");
    if (!config.is_object())
        reader.refuse("an object");
    refuseOtherKinds(reader, folder);
    refuseOtherWays(config, folder);
    refuseOtherStarts(config, folder);
    if (const std::string bias = reader["bias"].text("none"); bias != "none")
        refuse(folder, "changes biases, too (bias is " + quotedName(bias) + ")");

    const auto rank = [](const JsonReader& number) { return number.integer(1, kLargestRank); };
    const auto alpha = [](const JsonReader& number) { return number.number(-kLargestAlpha, kLargestAlpha); };
    AdapterConfig read;
    read.base = reader["base_model_name_or_path"].text("");
    read.rank = reader["r"].integer(1, kLargestRank, 8);  // what PEFT takes where nothing is said
    read.alpha = reader["lora_alpha"].number(-kLargestAlpha, kLargestAlpha, 8);
    read.usesRootOfRank = reader["use_rslora"].flag(false);
    read.ranks = readPatterns<int>(reader["rank_pattern"], rank);
    read.alphas = readPatterns<double>(reader["alpha_pattern"], alpha);
    return read;
}

}  // namespace hs::model
