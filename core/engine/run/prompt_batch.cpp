#include "engine/run/prompt_batch.h"

#include "base/failure.h"
#include "base/timing.h"
#include "engine/device/device_tensors.h"
#include "engine/request/forecast.h"
#include "engine/run/gpu_batch_tensors.h"
#include "engine/run/layer_ablation_tensors.h"
#include "engine/run/layer_attention_tensors.h"
#include "engine/run/readout_tensors.h"
#include "engine/run/request_check.h"
#include "engine/run/row_product_tensors.h"
#include "engine/run/run_room.h"

#include <algorithm>
#include <array>
#include <map>
#include <mutex>

namespace hs::engine {
namespace {

/// Most rows of prompts side by side, by where they are computed.
constexpr std::int64_t kMostRowsOnProcessor = 512;
constexpr std::int64_t kMostRowsOnGpu = 4096;
constexpr std::int64_t kLongestPrompt = 512;
/// Most bytes of maps that prompts side by side bring back.
constexpr std::int64_t kMostMapBytes = std::int64_t{256} << 20;

/// Prompts of a request's length that fill the rows.
std::int64_t roomFor(const RunRequest& request)
{
    const auto length = std::ssize(request.tokens);
    if (!request.model->facts().placement.first().isCuda())
        return kMostRowsOnProcessor / length;
    const std::int64_t mapBytes = request.model->spec().headShape().total() * length * length *
                                  static_cast<std::int64_t>(sizeof(float));
    return std::min(kMostRowsOnGpu / length,
                    request.capture.fullMaps ? kMostMapBytes / mapBytes : kMostRowsOnGpu);
}

/// How many rows such prompts are computed in. A GPU's products have the same bits for the same number of rows alone, so
/// there are always as many; a processor's have them for any that paddedRows gives.
std::int64_t rowsFor(const RunRequest& request, std::int64_t prompts)
{
    const std::int64_t rows = prompts * std::ssize(request.tokens);
    return request.model->facts().placement.first().isCuda()
               ? (rows + kLogitChunk - 1) / kLogitChunk * kLogitChunk
               : paddedRows(rows);
}

/// Whether the products with a weight give equal rows equal bits, in every place and for each of these numbers of rows,
/// the smallest of them first.
bool hasEqualRows(const at::Tensor& weight, const at::Tensor& bias, std::span<const std::int64_t> counts)
{
    // Rows with several contents: rounding to half the bits hides most differences of sums.
    static constexpr std::int64_t kContents = 31;
    const std::int64_t most = std::ranges::max(counts), width = weight.size(1);
    const auto repeated = [](const at::Tensor& rows, std::int64_t count) {
        return rows.repeat({(count + kContents - 1) / kContents, 1}).narrow(0, 0, count);
    };
    const at::Tensor contents = at::arange(kContents * width).to(at::kFloat).sin().view({kContents, width});
    const at::Tensor rows = repeated(contents.to(weight.device(), weight.scalar_type()), most);
    const at::Tensor first = product(rows.narrow(0, 0, counts.front()), weight, bias).narrow(0, 0, kContents);
    return std::ranges::all_of(counts, [&](std::int64_t count) {
        return at::equal(product(rows.narrow(0, 0, count), weight, bias), repeated(first, count));
    });
}

/// The numbers of rows up to `most` that products may have on a processor; on a GPU that one alone.
std::vector<std::int64_t> countsUpTo(std::int64_t most, bool isOnGpu)
{
    std::vector<std::int64_t> counts;
    for (std::int64_t count = isOnGpu ? most : paddedRows(1); count <= most; count += paddedRows(1))
        counts.push_back(count);
    return counts;
}

bool hasEqualRowsOnce(const RunRequest& request)
{
    // Asked for every prompt of a set; the answer is one of the machine and of the weights' shapes.
    static std::mutex mutex;
    static std::map<std::vector<std::int64_t>, bool> known;
    const Model& model = *request.model;
    const Device device = model.facts().placement.first();
    const at::ScalarType type = computingType(device, model.facts().dtype);
    const std::int64_t room = roomFor(request);
    const std::int64_t most = device.isCuda() ? rowsFor(request, room) : kMostRowsOnProcessor;
    static constexpr std::array<std::pair<model::Role, model::Role>, 4> kProducts = {
        {{model::Role::QkvWeight, model::Role::QkvBias},
         {model::Role::OutWeight, model::Role::OutBias},
         {model::Role::UpWeight, model::Role::UpBias},
         {model::Role::DownWeight, model::Role::DownBias}}};
    std::vector<std::int64_t> shapes = {at::get_num_threads(), device.isCuda() ? 1 : 0,
                                        static_cast<std::int64_t>(type), request.tf32, most};
    for (const auto& [weight, bias] : kProducts) {
        const at::IntArrayRef sizes = model.weights().at(0, weight).sizes();
        shapes.insert(shapes.end(), sizes.begin(), sizes.end());
        shapes.push_back(model.weights().at(0, bias).defined() ? 1 : 0);
    }
    const std::scoped_lock lock(mutex);
    const auto [entry, isNew] = known.try_emplace(std::move(shapes), false);
    if (isNew) {
        const c10::InferenceMode noGradients;
        const Tf32Scope precision(request.tf32);
        const at::Tensor& last = model.weights()[model::Role::Unembedding];
        static constexpr std::int64_t kSample = 8192;  // of the vocabulary
        const auto typed = [&](const at::Tensor& tensor) {
            return tensor.defined() ? tensor.to(type) : tensor;
        };
        entry->second = hasEqualRows(typed(last.narrow(0, 0, std::min(kSample, last.size(0)))), {},
                                     countsUpTo(kLogitChunk, device.isCuda())) &&
                        std::ranges::all_of(kProducts, [&](const auto& roles) {
                            return hasEqualRows(typed(model.weights().at(0, roles.first)),
                                                typed(model.weights().at(0, roles.second)),
                                                countsUpTo(most, device.isCuda()));
                        });
    }
    return entry->second;
}

/// The attention of prompts side by side, one after another on a processor.
class ProcessorBatch {
public:
    ProcessorBatch(std::span<const RunRequest> requests, const Decoder& one, const at::Tensor& tokens,
                   std::span<const stats::SummaryRules> rules, stats::MapTotals* totals)
        : m_requests(requests), m_one(one), m_tokens(tokens), m_rules(rules), m_totals(totals),
          m_records(requests.size())
    {
        if (!totals)
            return;
        const model::ArchSpec& spec = requests.front().model->spec();
        totals->clear();
        totals->resize(static_cast<std::size_t>(spec.headShape().total() * tokens.size(1) * tokens.size(1)));
    }

    at::Tensor attend(int layer, const at::Tensor& packed)
    {
        const std::int64_t length = m_tokens.size(1);
        std::vector<at::Tensor> outputs;
        for (std::size_t prompt = 0; prompt < m_requests.size(); ++prompt) {
            RunRequest request = m_requests[prompt];
            request.capture.fullMaps = request.capture.fullMaps || m_totals != nullptr;
            const auto place = static_cast<std::int64_t>(prompt);
            LayerAttention attention =
                attendLayer(request, m_one, layer, packed.narrow(0, place * length, length), m_tokens[place],
                            m_rules[prompt]);
            if (m_totals)
                addUp(layer, attention.record);
            outputs.push_back(attention.z);
            m_records[prompt].push_back(std::move(attention.record));
        }
        return at::cat(outputs);
    }

    std::vector<std::vector<LayerRecord>>& records() { return m_records; }

private:
    void addUp(int layer, LayerRecord& record) const
    {
        const std::int64_t length = m_tokens.size(1), cells = length * length;
        const std::int64_t heads = m_requests.front().model->spec().heads;
        at::parallel_for(0, heads, 1, [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t cell = begin * cells; cell < end * cells; ++cell)
                m_totals->add(static_cast<std::size_t>(layer * heads * cells + cell), record.map[cell]);
        });
        record.map.reset();
    }

    std::span<const RunRequest> m_requests;
    const Decoder& m_one;
    const at::Tensor& m_tokens;  // [prompt, query] int32
    std::span<const stats::SummaryRules> m_rules;
    stats::MapTotals* m_totals;
    std::vector<std::vector<LayerRecord>> m_records;  // [prompt][layer]
};

/// The tokens of all prompts; what fills the room behind them is the first token. [prompt, query]
at::Tensor stackedTokens(std::span<const RunRequest> requests, std::int64_t prompts)
{
    at::Tensor tokens = at::zeros({prompts, std::ssize(requests.front().tokens)}, at::kLong);
    for (std::size_t prompt = 0; prompt < requests.size(); ++prompt)
        std::ranges::copy(requests[prompt].tokens,
                          tokens[static_cast<std::int64_t>(prompt)].data_ptr<std::int64_t>());
    return tokens;
}

std::vector<RunResult> runBatch(std::span<const RunRequest> requests, const Hooks& hooks,
                                stats::MapTotals* totals)
{
    Laps laps;
    const RunRequest& first = requests.front();
    const Model& model = *first.model;
    const model::ArchSpec& spec = model.spec();
    const Device place = model.facts().placement.first();
    const at::Device device = torchDevice(place);
    const auto length = std::ssize(first.tokens);
    const std::int64_t prompts = place.isCuda() ? roomFor(first) : std::ssize(requests);
    const std::int64_t inUse = prompts * length, rows = rowsFor(first, prompts);
    const at::Tensor tokens = stackedTokens(requests, prompts).to(device);
    const Decoder one(first, first.tokens);  // whose attention is that of any prompt of this length
    const at::ScalarType type = computingType(place, model.facts().dtype);
    const Decoder all(spec, AdaptedWeights(first), type, tokens, one.frame(0));
    const at::Tensor shortTokens = tokens.to(at::kInt);

    std::vector<stats::RepeatedTokens> repeats;
    for (const RunRequest& request : requests)
        repeats.emplace_back(request.tokens);
    std::vector<stats::SummaryRules> rules;
    for (const stats::RepeatedTokens& each : repeats)
        rules.push_back({each, static_cast<int>(length), tileSideOf(first), first.capture.threshold});
    std::vector<Ablations> ablations(static_cast<std::size_t>(prompts));
    for (std::size_t prompt = 0; prompt < requests.size(); ++prompt)
        ablations[prompt] = requests[prompt].ablations;

    ProcessorBatch onProcessor(requests, one, shortTokens, rules, totals);
    const std::unique_ptr<GpuBatch> onGpu =
        place.isCuda() ? makeGpuBatch(first, shortTokens, std::ssize(requests), totals != nullptr) : nullptr;
    const at::Tensor embedded = all.embed();
    at::Tensor residual = at::zeros({rows, spec.hidden}, embedded.options());
    residual.narrow(0, 0, inUse).copy_(embedded);
    const at::Tensor z = at::zeros({rows, spec.heads, spec.headDim}, residual.options());
    at::Tensor inPlace = z.narrow(0, 0, inUse);
    for (int layer = 0; layer < spec.layers; ++layer) {
        hooks.throwIfCancelled();
        const at::Tensor packed = all.packedProjections(layer, residual).narrow(0, 0, inUse);
        if (onGpu) {
            onGpu->attend(layer, all.turned(layer, packed), inPlace);
            LayerAblation(spec, layer, ablations, {0, length}).apply(inPlace, {});
        } else {
            inPlace.copy_(onProcessor.attend(layer, packed));
        }
        residual = all.finishLayer(layer, residual, z, mlpChange(layer, ablations, {0, length}));
    }
    std::vector<RunResult> results(requests.size());
    readOutTogether(all, residual, requests, hooks, results);
    const std::vector<std::vector<LayerRecord>> records =
        onGpu ? onGpu->finish(rules) : std::move(onProcessor.records());
    if (onGpu && totals)
        onGpu->takeTotals(*totals);
    const double milliseconds = laps.total() / static_cast<double>(requests.size());
    at::parallel_for(0, std::ssize(requests), 1, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t prompt = begin; prompt < end; ++prompt) {
            collect(requests[prompt], records[prompt], results[prompt]);
            results[prompt].milliseconds = milliseconds;
        }
    });
    return results;
}

}  // namespace

int promptsTogether(const RunRequest& request)
{
    const Model::Facts& facts = request.model->facts();
    const auto isInPlace = [](const auto& ablation) {
        return ablation.second.kind != HeadAblation::Kind::Replace;
    };
    const bool canBe = std::ssize(request.tokens) <= kLongestPrompt && facts.placement.parts.size() == 1 &&
                       !request.writes && !request.fold() && inEffect(request.adapters).empty() &&
                       !request.capture.logits && !request.capture.headOutputs &&
                       std::ranges::all_of(request.ablations, isInPlace) &&
                       (!facts.placement.first().isCuda() || canBatchOnGpu(request)) && roomFor(request) > 1;
    return canBe && hasEqualRowsOnce(request) ? static_cast<int>(roomFor(request)) : 1;
}

bool canAddUpMaps(const RunRequest& request)
{
    static constexpr int kTotalBytes = 2 * sizeof(stats::MapTotals::Sum) + sizeof(float);
    return promptsTogether(request) * static_cast<int>(sizeof(float)) > kTotalBytes;
}

Result<std::vector<RunResult>> runTogether(std::span<const RunRequest> requests, const Hooks& hooks,
                                           stats::MapTotals* totals)
{
    return guarded([&] {
        for (const RunRequest& request : requests)
            checkRequest(request);
        requireRoom(requests.front());
        const c10::InferenceMode noGradients;
        const Tf32Scope precision(requests.front().tf32);
        return runBatch(requests, hooks, totals);
    });
}

}  // namespace hs::engine
