#include "service/maps_backend.h"

#include "analyses/map_analyses.h"
#include "base/pace.h"
#include "base/parallel.h"
#include "base/timing.h"
#include "base/untrusted_text.h"
#include "maps/maps_file.h"
#include "service/engine_need.h"
#include "service/engine_request.h"
#include "service/side_comparison.h"

#include <algorithm>

namespace hs::service {
namespace {

constexpr auto kPartInterval = std::chrono::milliseconds(100);

const maps::Block& blockOf(const SideRequest& request)
{
    if (!request.model || !request.model->maps)
        fail(ErrorCode::BadRequest, "There are no maps to show; open a file of them first.");
    return *request.model->maps;
}

std::string titleOf(const std::filesystem::path& file, const maps::Block::Facts& facts)
{
    std::string title = file.stem().string();
    if (!facts.name.empty())
        title += " · " + facts.name;
    if (facts.items > 1)
        title += " · " + std::to_string(facts.item);
    return title;
}

/// Whether a head of the first layer has a weight that is no share of attention.
bool hasOddWeights(const maps::Block& block)
{
    static constexpr float kRounding = 1e-2f;  // of sums in eight bits
    const stats::PatternShape& shape = block.facts().pattern;
    std::vector<float> row(static_cast<std::size_t>(shape.keys));
    for (int head = 0; head < block.facts().heads.headsOf(0); ++head)
        for (int query = 0; query < shape.queries; ++query) {
            block.readRow({0, head}, query, row.data());
            if (std::ranges::any_of(row, [](float weight) { return weight < 0 || weight > 1 + kRounding; }))
                return true;
        }
    return false;
}

/// What else the file has, and what it lacks.
std::vector<std::string> notesOn(const std::string& name, const maps::MapsFile& file,
                                 const maps::Block& block)
{
    std::vector<std::string> notes;
    const maps::Block::Facts& facts = block.facts();
    std::vector<std::string> others;
    for (const maps::BlockArrays& other : file.blocks())
        if (other.name != facts.name)
            others.push_back(other.name);
    if (!others.empty())
        notes.push_back("The file also has " + quotedNames(others) + ": choose beside the title, or write #" +
                        others.front() + " behind the file's name.");
    if (facts.items > 1)
        notes.push_back("The file has a batch of " + std::to_string(facts.items) + ": item " +
                        std::to_string(facts.item) + " is shown; open " + name + "#" + facts.name +
                        (facts.name.empty() ? "" : "/") + std::to_string(facts.items - 1) + " for the last.");
    if (hasOddWeights(block))
        notes.push_back("Some weights are below 0 or above 1, as scores before the softmax are; tiles show "
                        "them as 0 and 1.");
    return notes;
}

std::vector<std::int64_t> idsOf(const std::vector<std::string>& texts)
{
    std::vector<std::int64_t> ids;
    for (const text::Token& token : tokensOf(texts))
        ids.push_back(token.id);
    return ids;
}

/// One head's statistics and tile; `active` is what of its cells has a weight.
stats::HeadStats summarizeInFile(const maps::Block& block, HeadId head, const stats::SummaryRules& rules,
                                 std::uint8_t* tile, std::int64_t& active)
{
    stats::HeadSummarizer summarizer(rules, tile);
    std::vector<float> row(static_cast<std::size_t>(rules.pattern.keys));
    for (int query = 0; query < rules.pattern.queries; ++query) {
        block.readRow(head, query, row.data());
        active += std::count_if(row.begin(), row.begin() + rules.pattern.keysOf(query),
                                [](float weight) { return weight > 0; });
        summarizer.addRow(query, row.data());
    }
    return summarizer.finish(active);
}

analyses::LayeredWeights weightsOf(const maps::Block& block)
{
    return {block.facts().heads, block.facts().pattern, [&block](int layer) { return block.layer(layer); }};
}

}  // namespace

std::vector<text::Token> tokensOf(const std::vector<std::string>& texts)
{
    std::vector<text::Token> tokens;
    std::uint64_t end = 0;
    for (const std::string& text : texts) {
        // FNV-1a; 53 bits, so that JSON holds it exactly.
        std::uint64_t hash = 14695981039346656037u;
        for (const char letter : text)
            hash = (hash ^ static_cast<unsigned char>(letter)) * 1099511628211u;
        tokens.push_back({static_cast<std::int64_t>(hash >> 11), text, end, end + text.size()});
        end += text.size();
    }
    return tokens;
}

engine::RunResult summarizeMaps(const maps::Block& block, int tileSide, double threshold, const Hooks& hooks,
                                const std::function<void(const engine::RunResult&)>& onLayer)
{
    const maps::Block::Facts& facts = block.facts();
    engine::RunResult run;
    run.tokens = idsOf(facts.queryTokens);
    run.keyTokens = idsOf(facts.keyTokens);
    run.isCausal = facts.pattern.isCausal;
    run.position = facts.pattern.queries - 1;
    const stats::RepeatedTokens repeats(run.tokens);
    const stats::SummaryRules rules{repeats, facts.pattern, tileSide, threshold};
    run.tileRows = rules.tileRows();
    run.tileColumns = rules.tileColumns();
    run.heads = facts.heads;
    std::int64_t active = 0;
    for (int layer = 0; layer < facts.heads.layers; ++layer) {
        hooks.throwIfCancelled();
        hooks.report(layer, facts.heads.layers);
        const auto places = static_cast<std::size_t>(facts.heads.heads);
        const std::shared_ptr<std::uint8_t[]> tiles(new std::uint8_t[places * rules.tileCells()]());
        std::vector<stats::HeadStats> ofHeads(places, stats::noStats());
        std::vector<std::int64_t> actives(places, 0);
        forEachInParallel(facts.heads.headsOf(layer), 4 * facts.pattern.mapSize(), hooks.stop, [&](int head) {
            const auto index = static_cast<std::size_t>(head);
            ofHeads[index] = summarizeInFile(block, {layer, head}, rules,
                                             tiles.get() + index * rules.tileCells(), actives[index]);
        });
        run.tiles.push_back(tiles);
        run.stats.insert(run.stats.end(), ofHeads.begin(), ofHeads.end());
        for (const std::int64_t ofHead : actives)
            active += ofHead;
        if (onLayer)
            onLayer(run);
    }
    hooks.report(facts.heads.layers, facts.heads.layers);
    run.density = static_cast<double>(active) / (static_cast<double>(facts.pattern.cells()) *
                                                 static_cast<double>(facts.heads.all().size()));
    return run;
}

Result<std::shared_ptr<const OpenModel>> MapsBackend::open(const OpenRequest& request, const Hooks& hooks)
{
    return guarded([&] {
        const std::optional<maps::MapsSource> source = maps::mapsSource(request.source);
        if (!source)
            fail(ErrorCode::NotFound, request.source + " is not a file of attention maps; give an NPZ or "
                                                       "safetensors file that has some.");
        const maps::MapsFile file = maps::MapsFile::open(source->file);
        auto open = std::make_shared<OpenModel>();
        open->maps = file.block(source->part, hooks);
        const maps::Block::Facts& facts = open->maps->facts();
        open->request = request;
        open->title = titleOf(source->file, facts);
        open->heads = facts.heads;
        open->context = std::max(facts.pattern.queries, facts.pattern.keys);
        open->device = "no engine";
        open->precision = open->maps->precision();
        open->weightBytes = open->maps->bytes();
        open->folder = source->file.parent_path().string();
        const std::string part = maps::partOf(*open->maps);
        const std::string name = source->file.string();
        for (const maps::BlockArrays& block : file.blocks())
            open->blocks.push_back({block.name, name + (block.name.empty() ? "" : "#" + block.name)});
        open->fingerprint = file.fingerprint() + (part.empty() ? "" : "#" + part);
        open->notes = notesOn(name, file, *open->maps);
        return std::shared_ptr<const OpenModel>(open);
    });
}

Result<SideResult> MapsBackend::run(Side /*side*/, const SideRequest& request, const Hooks& hooks,
                                    const OnRunPart& onPart)
{
    return guarded([&] {
        const double start = secondsNow();
        const maps::Block& block = blockOf(request);
        if (!request.ablations.empty())
            fail(ErrorCode::BadRequest, whyNoRun(*request.model));
        const stats::PatternShape& shape = block.facts().pattern;
        SideResult result;
        result.request = request;
        result.tokens = tokensOf(block.facts().queryTokens);
        result.keyTokens = tokensOf(block.facts().keyTokens);
        Pace pace(kPartInterval);
        const auto tell = [&](const engine::RunResult& soFar) {
            pace.step([&] {
                SideResult part = result;
                part.after = soFar;
                part.after.heads.layers = static_cast<int>(soFar.tiles.size());
                if (!part.after.heads.headsIn.empty())
                    part.after.heads.headsIn.resize(soFar.tiles.size());
                part.kinds = kindsOf(part.after);
                onPart(std::move(part));
            });
        };
        result.after = summarizeMaps(
            block, tileSideFor(block.facts().heads, std::max(shape.queries, shape.keys), request.tileBytes),
            engine::Capture().threshold, hooks,
            onPart ? std::function<void(const engine::RunResult&)>(tell) : nullptr);
        result.after.milliseconds = result.milliseconds = 1e3 * (secondsNow() - start);
        result.before = result.after;
        result.kinds = kindsOf(result.after);
        result.position = result.after.position;
        return result;
    });
}

Result<engine::LayerMap> MapsBackend::maps(const SideRequest& request, const MapQuery& query,
                                           const Hooks& hooks)
{
    return guarded([&]() -> engine::LayerMap {
        const maps::Block& block = blockOf(request);
        if (const std::string problem = whyNotPossible(*request.model, query.kind); !problem.empty())
            fail(ErrorCode::BadRequest, problem);
        hooks.throwIfCancelled();
        return block.layer(query.layer);
    });
}

Result<stats::PooledMaps> MapsBackend::pooledMaps(Side /*side*/, const SideRequest& request,
                                                  engine::MapKind /*kind*/, const Hooks& /*hooks*/)
{
    return guarded([&]() -> stats::PooledMaps {
        blockOf(request);
        fail(ErrorCode::BadRequest, whyNoRun(*request.model));
    });
}

Result<std::vector<float>> MapsBackend::cellWeights(Side /*side*/, const SideRequest& request, int query,
                                                    int key, const Hooks& hooks)
{
    return guarded([&] {
        const maps::Block& block = blockOf(request);
        hooks.throwIfCancelled();
        const HeadShape& heads = block.facts().heads;
        std::vector<float> weights(static_cast<std::size_t>(heads.total()), 0.0f);
        if (!block.facts().pattern.contains(query, key))
            return weights;
        for (const HeadId head : heads.all())
            weights[static_cast<std::size_t>(heads.indexOf(head))] = block.weight(head, query, key);
        return weights;
    });
}

Result<AnalysisResult> MapsBackend::analyse(const AnalysisRequest& request, const Hooks& hooks,
                                            const OnAnalysisPart& /*onPart*/)
{
    if (request.kind == AnalysisKind::Compare)
        return compareSides(*this, *this, request, hooks);
    return guarded([&]() -> AnalysisResult {
        const maps::Block& block = blockOf(request.side);
        if (const std::string problem = whyNotPossible(*request.side.model, request.kind); !problem.empty())
            fail(ErrorCode::BadRequest, problem);
        if (request.kind == AnalysisKind::Scatter)
            return orThrow(analyses::scatterHeads(weightsOf(block), request.heads, hooks));
        const auto isOff = [](HeadId) { return false; };
        stats::TokenFlow flow =
            orThrow(analyses::tokenFlow(weightsOf(block), request.threshold, isOff, hooks));
        if (request.hasRollout)
            flow.rollout = orThrow(analyses::attentionRollout(weightsOf(block), isOff, hooks));
        return flow;
    });
}

Result<GeneratedText> MapsBackend::generate(Side /*side*/, const SideRequest& request,
                                            const GenerationSetup& /*setup*/, const Hooks& /*hooks*/,
                                            const OnRunPart& /*onStep*/)
{
    return Error{ErrorCode::BadRequest, whyNoRun(*request.model), {}};
}

Result<FeatureLabels> MapsBackend::keepLabels(const std::shared_ptr<const OpenModel>& model,
                                              const std::string& /*coders*/, const FeatureLabels& /*labels*/,
                                              const Hooks& /*hooks*/)
{
    return Error{ErrorCode::BadRequest, whyNoRun(*model), {}};
}

Result<analyses::DeviceCheck> MapsBackend::checkDevice(const std::shared_ptr<const OpenModel>& model,
                                                       const std::vector<std::int64_t>& /*tokens*/,
                                                       const Hooks& /*hooks*/)
{
    return Error{ErrorCode::BadRequest, whyNoRun(*model), {}};
}

}  // namespace hs::service
