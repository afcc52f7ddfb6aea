#include "service/engine_backend.h"

#include "base/pace.h"
#include "base/text_format.h"
#include "base/timing.h"
#include "service/engine_request.h"
#include "service/set_view.h"

#include <algorithm>

namespace hs::service {
namespace {

std::string titleFor(const std::string& source, const engine::Model& model)
{
    static constexpr std::string_view kDemo = "demo:";
    return source.starts_with(kDemo) ? "Demo, " + source.substr(kDemo.size()) : model.facts().name;
}

/// What one may know about a loaded model.
std::shared_ptr<const OpenModel> describeModel(const OpenRequest& request, engine::Workspace opened)
{
    auto open = std::make_shared<OpenModel>();
    const engine::Model::Facts& facts = opened.model->facts();
    open->request = request;
    open->title = titleFor(request.source, *opened.model);
    open->heads = facts.spec.headShape();
    open->context = facts.spec.context;
    open->ownGateBias = facts.spec.gateBias;
    open->device = engine::describe(facts.placement);
    open->hasGpu = facts.placement.uses(engine::Device::Kind::Cuda);
    open->precision = engine::precisionName(facts.device, facts.dtype, request.tf32);
    open->tf32 = open->precision != engine::precisionName(facts.device, facts.dtype, false);
    open->weightBytes = facts.weightBytes;
    open->folder = opened.folder.string();
    if (const auto coders = features::findTranscoders({}, opened.folder))
        open->coders = coders->string();
    open->revisions = model::revisionsOf(request.source, model::Environment::fromProcess());
    open->revision = model::indexOf(open->revisions, opened.folder);
    open->fingerprint = std::move(opened.fingerprint);
    open->check = analyses::knownCheck(model::Environment::fromProcess(), open->fingerprint, open->precision);
    open->notes = std::move(opened.notes);
    if (const auto& own = opened.adapters->own())
        open->ownAdapter = own->facts().folder.string();
    open->adapters = std::move(opened.adapters);
    open->model = std::move(opened.model);
    open->tokenizer = std::move(opened.tokenizer);
    return open;
}

bool isSameBaseline(const engine::RunRequest& a, const engine::RunRequest& b)
{
    return a.model == b.model && a.tokens == b.tokens && a.gate == b.gate && a.adapters == b.adapters &&
           a.spans == b.spans && a.tf32 == b.tf32 && a.capture == b.capture;
}

/// Hooks for one of several passes, the layers of which are counted together.
Hooks hooksOfPass(const Hooks& hooks, int pass, int passes)
{
    return {
        [&hooks, pass, passes](int done, int total) { hooks.report(pass * total + done, passes * total); },
        hooks.stop};
}

}  // namespace

Result<std::shared_ptr<const OpenModel>> EngineBackend::open(const OpenRequest& request, const Hooks& hooks)
{
    return guarded([&] {
        return describeModel(request,
                             orThrow(m_opener.open({request.source, request.device, request.dtype}, hooks)));
    });
}

EngineBackend::Engines& EngineBackend::enginesOf(Side side, const SideRequest& request)
{
    std::unique_ptr<Engines>& engines = m_engines[indexOf(side)];
    if (!engines || engines->model != request.model->model) {
        engines = std::make_unique<Engines>();
        engines->model = request.model->model;
        // Outputs and sets keep their model alive.
        const auto isClosed = [&](const std::shared_ptr<const engine::Model>& model) {
            return std::ranges::none_of(m_engines,
                                        [&](const auto& other) { return other && other->model == model; });
        };
        std::erase_if(m_patches, [&](const Patch& patch) { return isClosed(patch.model); });
        std::erase_if(m_sets, [&](const StudiedSet& set) { return isClosed(set.side.model->model); });
    }
    return *engines;
}

const EngineBackend::Baseline& EngineBackend::baselineOf(Engines& engines, const engine::RunRequest& request,
                                                         const Hooks& hooks)
{
    if (!engines.baseline || !isSameBaseline(engines.baseline->request, request)) {
        engine::RunResult result = orThrow(engines.before.run(request, hooks));
        engines.baseline = Baseline{request, std::move(result)};
    }
    return *engines.baseline;
}

void EngineBackend::patch(engine::RunRequest& run, const SideRequest& request, const Hooks& hooks)
{
    static constexpr std::size_t kMostPatches = 4;
    const auto isPatched = [](const auto& entry) { return entry.second.isPatched(); };
    if (std::ranges::none_of(request.ablations, isPatched))
        return;
    const bool hasCells = std::ranges::any_of(
        request.ablations, [&](const auto& entry) { return isPatched(entry) && !entry.second.isWhole(); });
    if (request.patch.empty())
        fail(ErrorCode::BadRequest, "There is no corrupted prompt to patch heads from; type one of as many "
                                    "tokens below the prompt, or switch the patched heads on again.");
    engine::RunRequest source = engineRequest(withPrompt(request, request.patch)).run;
    if (source.tokens.size() != run.tokens.size())
        fail(ErrorCode::BadRequest, "The prompt has " +
                                        formatCount(static_cast<std::int64_t>(run.tokens.size())) +
                                        " tokens and the corrupted one " +
                                        formatCount(static_cast<std::int64_t>(source.tokens.size())) +
                                        "; change words so that both have the same number.");
    source.ablations.clear();
    source.spans = {};
    source.capture = {};
    source.capture.loss = false;
    source.capture.headOutputs = true;
    source.capture.headCells = hasCells;
    const auto known = std::ranges::find_if(m_patches, [&](const Patch& patch) {
        return patch.model == source.model && patch.tokens == source.tokens && patch.gate == source.gate &&
               patch.adapters == source.adapters && patch.tf32 == source.tf32 && patch.hasCells >= hasCells;
    });
    std::shared_ptr<const engine::HeadOutputs> outputs;
    if (known != m_patches.end()) {
        outputs = known->outputs;
    } else {
        engine::Engine engine;
        outputs = orThrow(engine.run(source, {{}, hooks.stop})).headOutputs;
        m_patches.push_back(
            {source.model, source.tokens, source.gate, source.adapters, source.tf32, hasCells, outputs});
        if (m_patches.size() > kMostPatches)
            m_patches.pop_front();
    }
    for (auto& [head, ablation] : run.ablations)
        if (request.ablations.at(head).isPatched())
            ablation.source = outputs;
}

Result<SideResult> EngineBackend::run(Side side, const SideRequest& request, const Hooks& hooks,
                                      const OnRunPart& onPart)
{
    return guarded([&] {
        const double start = secondsNow();
        if (request.view) {
            enginesOf(side, request);
            SideResult shown = sideResultOf(request, viewed(request, hooks, onPart));
            shown.milliseconds = 1e3 * (secondsNow() - start);
            return shown;
        }
        EngineRequest plan = engineRequest(request);
        patch(plan.run, request, hooks);
        scale(plan.run, request, hooks);
        Engines& engines = enginesOf(side, request);
        SideResult run;
        run.request = request;
        nameTokens(plan, run);
        engine::RunRequest plain = plan.run;
        plain.ablations.clear();
        plain.writes.reset();
        const bool isPlain = plan.run.ablations.empty() && !plan.run.writes;
        const bool isKnown = engines.baseline && isSameBaseline(engines.baseline->request, plain);
        const int passes = isPlain || isKnown ? 1 : 2;
        Pace pace(m_partInterval);
        const engine::LayerNews tell = [&](const std::function<engine::RunResult()>& soFar) {
            pace.step([&] {
                SideResult part = run;
                part.after = soFar();
                part.kinds = kindsOf(part.after);
                onPart(std::move(part));
            });
        };
        run.after = orThrow(
            engines.after.run(plan.run, hooksOfPass(hooks, 0, passes), onPart ? tell : engine::LayerNews()));
        run.kinds = kindsOf(run.after);
        if (isPlain)
            engines.baseline = Baseline{plan.run, run.after};
        run.before = baselineOf(engines, plain, hooksOfPass(hooks, 1, passes)).result;
        readWatched(plan, run);
        run.milliseconds = 1e3 * (secondsNow() - start);
        return run;
    });
}

Result<engine::LayerMap> EngineBackend::maps(const SideRequest& request, const MapQuery& query,
                                             const Hooks& hooks)
{
    return guarded([&] {
        if (request.view)
            return layerOf(request, query, viewed(request, hooks));
        engine::RunRequest run = runOf(request, hooks);
        Engines& engines = enginesOf(query.side, request);
        const bool isOther = query.isBefore && request.isChanged();
        if (isOther) {
            run.ablations.clear();
            run.writes.reset();
        }
        engine::Engine& engine = isOther ? engines.before : engines.after;
        return orThrow(engine.layerMaps(run, query.layer, query.kind, hooks));
    });
}

Result<stats::PooledMaps> EngineBackend::pooledMaps(Side side, const SideRequest& request,
                                                    engine::MapKind kind, const Hooks& hooks)
{
    return guarded([&] {
        if (const std::string problem = whyNotOfSet(request, kind); !problem.empty())
            fail(ErrorCode::BadRequest, problem);
        const engine::RunRequest run = runOf(request, hooks);
        engine::Engine& engine = enginesOf(side, request).after;
        const HeadShape& heads = request.model->heads;
        return stats::poolMaps(heads, run.places(), run.capture.tileSide, kind == engine::MapKind::Scores,
                               [&](int layer) {
                                   hooks.throwIfCancelled();
                                   hooks.report(layer, heads.layers);
                                   return orThrow(engine.layerMaps(run, layer, kind, {{}, hooks.stop}));
                               });
    });
}

Result<std::vector<float>> EngineBackend::cellWeights(Side side, const SideRequest& request, int query,
                                                      int key, const Hooks& hooks)
{
    return guarded([&] {
        if (request.view)
            return cellsOf(request, query, key, viewed(request, hooks));
        return orThrow(enginesOf(side, request).after.cellWeights(runOf(request, hooks), query, key, hooks));
    });
}

Result<analyses::DeviceCheck> EngineBackend::checkDevice(const std::shared_ptr<const OpenModel>& model,
                                                         const std::vector<std::int64_t>& tokens,
                                                         const Hooks& hooks)
{
    return analyses::checkDevice(model->model, tokens, model->request.tf32, hooks);
}

}  // namespace hs::service
