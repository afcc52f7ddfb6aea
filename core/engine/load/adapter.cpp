#include "engine/load/adapter.h"

#include "base/failure.h"
#include "base/text_format.h"
#include "base/untrusted_text.h"
#include "engine/device/device_tensors.h"
#include "engine/load/adapter_tensors.h"
#include "engine/load/arrangement_tensors.h"
#include "engine/load/tensor_source_tensors.h"
#include "engine/load/weights_tensors.h"
#include "model/adapter/adapter_files.h"
#include "model/adapter/linear_modules.h"
#include "model/architectures.h"
#include "model/fingerprint.h"
#include "text/regex.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace hs::engine {
namespace {

/// The two factors of a module's change, under their names in the file.
struct FactorNames {
    std::string down;
    std::string up;
};

/// Where a module is in the decoder.
struct ModulePlace {
    int layer = 0;
    const model::LinearModule* module = nullptr;
};

/// Reads an adapter's factors in the order of the base's modules.
class AdapterReader {
public:
    AdapterReader(const model::AdapterFiles& files, const Model& base)
        : m_files(files), m_base(base), m_source(openSource(files.weights)),
          m_modules(model::linearModules(base.spec()))
    {
    }

    std::shared_ptr<const Adapter> read()
    {
        sortNames();
        auto weights = std::make_unique<AdapterWeights>();
        weights->layers.resize(m_modules.size());
        Adapter::Facts facts = factsOfFiles();
        facts.firstLayer = static_cast<int>(m_modules.size());
        for (const auto& [name, factors] : m_factors) {
            const ModulePlace place = placeOf(name);
            LowRankChange change = readChange(name, factors, place);
            facts.firstLayer = std::min(facts.firstLayer, place.layer);
            facts.rank = std::max(facts.rank, static_cast<int>(change.down.size(0)));
            ++facts.modules;
            weights->layers[place.layer][static_cast<int>(place.module->role)].push_back(std::move(change));
        }
        m_source->requireUnchanged();
        return std::make_shared<const Adapter>(std::move(facts), std::move(weights));
    }

private:
    [[noreturn]] void refuse(ErrorCode code, const std::string& what, const std::string& remedy) const
    {
        fail(code, m_files.folder.string() + " " + what + "; " + remedy);
    }

    Adapter::Facts factsOfFiles() const
    {
        Adapter::Facts facts;
        facts.name = m_files.title();
        facts.folder = m_files.folder;
        facts.fingerprint = model::fingerprintOf(m_files.weights);
        facts.gateBias = m_base.spec().gateBias;
        // One that HeadScope trained says in its own config.json which gate it was trained with.
        std::error_code ignored;
        const std::filesystem::path config = m_files.folder / "config.json";
        if (std::filesystem::is_regular_file(config, ignored) &&
            !std::filesystem::is_symlink(config, ignored))
            if (const auto spec = model::readArchSpec(readJsonFile(config)))
                facts.gateBias = spec->gateBias;
        return facts;
    }

    /// "model.layers.0.self_attn.q_proj", the module of a tensor with a given end in its name; empty for another end.
    static std::string moduleBefore(std::string name, const std::string& end)
    {
        static constexpr std::string_view kWrapper = "base_model.model.";
        if (name.starts_with(kWrapper))
            name.erase(0, kWrapper.size());
        for (const std::string& suffix : {"." + end + ".weight", "." + end + ".default.weight"})
            if (name.ends_with(suffix))
                return name.substr(0, name.size() - suffix.size());
        return {};
    }

    void sortNames()
    {
        for (const std::string& name : m_source->names()) {
            const std::string down = moduleBefore(name, "lora_A");
            const std::string up = moduleBefore(name, "lora_B");
            if (down.empty() && up.empty())
                refuseTensor(name);
            FactorNames& factors = m_factors[down.empty() ? up : down];
            std::string& place = down.empty() ? factors.up : factors.down;
            if (!place.empty())
                refuse(ErrorCode::BadFile,
                       "holds " + quotedName(place) + " and " + quotedName(name) + ", which mean the same",
                       "save the adapter again.");
            place = name;
        }
        if (m_factors.empty())
            refuse(ErrorCode::BadFile, "changes nothing, as its weights file is empty",
                   "save the adapter again.");
        for (const auto& [name, factors] : m_factors)
            if (factors.down.empty() || factors.up.empty())
                refuse(ErrorCode::BadFile,
                       "has one of the two factors for " + quotedName(name) + " and lacks the other",
                       "save the adapter again.");
    }

    [[noreturn]] void refuseTensor(const std::string& name) const
    {
        const auto has = [&](std::string_view part) { return name.find(part) != std::string::npos; };
        const std::string shown = quotedName(name);
        if (has("lora_magnitude_vector"))
            refuse(ErrorCode::Unsupported,
                   "is a DoRA adapter, which scales the columns of weights as well (" + shown + ")",
                   model::kMergeRemedy);
        if (has("lora_embedding"))
            refuse(ErrorCode::Unsupported, "changes embeddings (" + shown + "), which is not read",
                   model::kMergeRemedy);
        refuse(ErrorCode::Unsupported, "holds " + shown + ", which is no factor of a LoRA adapter",
               model::kMergeRemedy);
    }

    ModulePlace placeOf(const std::string& name) const
    {
        const std::string bare = model::bareTensorName(name);
        for (std::size_t layer = 0; layer < m_modules.size(); ++layer)
            for (const model::LinearModule& module : m_modules[layer])
                if (module.name == bare)
                    return {static_cast<int>(layer), &module};
        for (const char* const ends : {"lm_head", "embed_out", "embed_tokens", "wte", "embed_in"})
            if (bare.ends_with(ends))
                refuse(ErrorCode::Unsupported,
                       "changes " + quotedName(name) + ", which reads or writes the vocabulary",
                       model::kMergeRemedy);
        refuse(ErrorCode::BadFile,
               "changes " + quotedName(name) + ", which " + m_base.facts().name + " does not have",
               "it belongs to another model; open it with that one: --model BASE --adapter DIR.");
    }

    LowRankChange readChange(const std::string& name, const FactorNames& factors,
                             const ModulePlace& place) const
    {
        const model::LinearModule& module = *place.module;
        const std::vector<std::int64_t> down = m_source->shape(factors.down);
        const std::vector<std::int64_t> up = m_source->shape(factors.up);
        const bool fitsModule = down.size() == 2 && up.size() == 2 && down[0] == up[1] && down[0] >= 1 &&
                                down[1] == module.in && up[0] == module.out;
        if (!fitsModule)
            refuse(ErrorCode::BadFile,
                   "changes " + quotedName(name) + " by factors of the shapes " + formatShape(up) + " and " +
                       formatShape(down) + ", but in " + m_base.facts().name + " it is " +
                       formatShape(std::vector<std::int64_t>{module.out, module.in}),
                   "it belongs to another model; open it with that one: --model BASE --adapter DIR.");
        const std::int64_t rank = down[0];
        if (rank > std::max(module.in, module.out))
            refuse(ErrorCode::BadFile,
                   "gives " + quotedName(name) + " a rank of " + std::to_string(rank) +
                       ", more than it has rows and columns",
                   "save the adapter again.");
        requireRank(name, rank);
        at::Tensor upper = readFactor(factors.up, place);
        if (module.arrangement == model::Arrangement::PerHeadQkv)
            upper = arrange(upper, module.arrangement, m_base.spec()).contiguous();
        const double alpha = alphaOf(name);
        const auto divisor = static_cast<double>(rank);
        return {module.row, alpha / (m_files.config.usesRootOfRank ? std::sqrt(divisor) : divisor),
                readFactor(factors.down, place), std::move(upper)};
    }

    at::Tensor readFactor(const std::string& name, const ModulePlace& place) const
    {
        const model::DType type = m_source->dtype(name);
        if (type != model::DType::F32 && type != model::DType::F16 && type != model::DType::BF16 &&
            type != model::DType::F64)
            refuse(ErrorCode::Unsupported,
                   "holds " + quotedName(name) + " in " + std::string(model::name(type)) + " numbers",
                   "save it in F32, F16 or BF16.");
        const at::Tensor factor = at::empty(m_source->shape(name), at::kFloat);
        m_source->read(name, 0, factor);
        m_source->release(name);
        return factor.to(m_base.weights().at(place.layer, place.module->role).device());
    }

    /// A pattern as PEFT matches it: all of a module's name, or its end behind a dot.
    static bool isMatch(const std::string& pattern, const std::string& name)
    {
        const std::string whole = "\\A(?:.*\\.)?(?:" + pattern + ")\\z";
        return !text::Regex(whole, text::Regex::UnicodeVersion::OfPcre2).findAll(name).empty();
    }

    /// What the config says about a module: by a pattern, otherwise as about all. Each once.
    template <class Number>
    std::vector<Number> saidOf(const std::string& name,
                               const std::vector<std::pair<std::string, Number>>& patterns,
                               Number usual) const
    {
        std::vector<Number> said;
        for (const auto& [pattern, number] : patterns)
            if (isMatch(pattern, name) && std::ranges::find(said, number) == said.end())
                said.push_back(number);
        return said.empty() ? std::vector<Number>{usual} : said;
    }

    void requireRank(const std::string& name, std::int64_t rank) const
    {
        const std::vector<int> said = saidOf(name, m_files.config.ranks, m_files.config.rank);
        if (std::ranges::find(said, rank) == said.end())
            refuse(ErrorCode::BadFile,
                   "gives " + quotedName(name) + " a rank of " + std::to_string(rank) +
                       ", but its adapter_config.json says " + std::to_string(said.front()),
                   "the files are of two adapters; save the adapter again.");
    }

    double alphaOf(const std::string& name) const
    {
        const std::vector<double> said = saidOf(name, m_files.config.alphas, m_files.config.alpha);
        if (said.size() > 1)
            refuse(ErrorCode::Unsupported,
                   "has several patterns in alpha_pattern that mean " + quotedName(name) + " and differ",
                   "write the module's whole name for one of them.");
        return said.front();
    }

    const model::AdapterFiles& m_files;
    const Model& m_base;
    std::unique_ptr<TensorSource> m_source;
    std::vector<std::vector<model::LinearModule>> m_modules;  // [layer]
    std::map<std::string, FactorNames> m_factors;             // by module
};

}  // namespace

Adapter::Adapter(Facts facts, std::unique_ptr<const AdapterWeights> weights)
    : m_facts(std::move(facts)), m_weights(std::move(weights))
{
}

Adapter::~Adapter() = default;

Result<std::shared_ptr<const Adapter>> loadAdapter(const model::AdapterFiles& files, const Model& base)
{
    return guarded([&] {
        // Gradients may go through it, whatever mode the caller is in.
        const c10::InferenceMode ordinary(false);
        return AdapterReader(files, base).read();
    });
}

bool fits(const Adapter& adapter, const Model& model)
{
    const std::vector<AdapterWeights::Table>& layers = adapter.weights().layers;
    if (std::ssize(layers) != model.spec().layers)
        return false;
    for (int layer = 0; layer < model.spec().layers; ++layer)
        for (int role = 0; role < model::kRoleCount; ++role)
            for (const LowRankChange& change : layers[layer][role]) {
                const at::Tensor& weight = model.weights().at(layer, static_cast<model::Role>(role));
                if (!weight.defined() || weight.dim() != 2 || weight.size(1) != change.down.size(1) ||
                    weight.size(0) < change.row + change.up.size(0) || weight.device() != change.up.device())
                    return false;
            }
    return true;
}

}  // namespace hs::engine
