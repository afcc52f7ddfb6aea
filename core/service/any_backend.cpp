#include "service/any_backend.h"

#include "maps/maps_file.h"
#include "service/far_source.h"
#include "service/side_comparison.h"

namespace hs::service {

AnyBackend::AnyBackend(std::shared_ptr<Machines> machines) : m_machines(std::move(machines)) {}

Backend& AnyBackend::backendOf(const std::string& source)
{
    const std::optional<FarSource> far = farSource(source);
    if (!far)
        return m_here;
    const auto found = m_far.find(far->host);
    return found != m_far.end()
               ? found->second
               : m_far.try_emplace(far->host, far->host, m_machines->lineTo(far->host)).first->second;
}

Backend& AnyBackend::backendOf(const SideRequest& request)
{
    if (!request.model)
        return m_here;
    return request.model->maps ? m_maps : backendOf(request.model->request.source);
}

Result<std::shared_ptr<const OpenModel>> AnyBackend::open(const OpenRequest& request, const Hooks& hooks)
{
    const std::optional<FarSource> far = farSource(request.source);
    if (far && maps::namesNpz(far->source))
        return Error{ErrorCode::Unsupported,
                     request.source +
                         " holds attention maps, which are read on this machine; copy the file here.",
                     {}};
    if (!far && maps::mapsSource(request.source))
        return m_maps.open(request, hooks);
    return backendOf(request.source).open(request, hooks);
}

Result<SideResult> AnyBackend::run(Side side, const SideRequest& request, const Hooks& hooks,
                                   const OnRunPart& onPart)
{
    return backendOf(request).run(side, request, hooks, onPart);
}

Result<GeneratedText> AnyBackend::generate(Side side, const SideRequest& request,
                                           const GenerationSetup& setup, const Hooks& hooks,
                                           const OnRunPart& onStep)
{
    return backendOf(request).generate(side, request, setup, hooks, onStep);
}

Result<engine::LayerMap> AnyBackend::maps(const SideRequest& request, const MapQuery& query,
                                          const Hooks& hooks)
{
    return backendOf(request).maps(request, query, hooks);
}

Result<stats::PooledMaps> AnyBackend::pooledMaps(Side side, const SideRequest& request, engine::MapKind kind,
                                                 const Hooks& hooks)
{
    return backendOf(request).pooledMaps(side, request, kind, hooks);
}

Result<std::vector<float>> AnyBackend::cellWeights(Side side, const SideRequest& request, int query, int key,
                                                   const Hooks& hooks)
{
    return backendOf(request).cellWeights(side, request, query, key, hooks);
}

Result<AnalysisResult> AnyBackend::analyse(const AnalysisRequest& request, const Hooks& hooks,
                                           const OnAnalysisPart& onPart)
{
    Backend& backend = backendOf(request.side);
    if (request.other && (request.side.model->maps || request.other->model->maps))
        return compareSides(backend, backendOf(*request.other), request, hooks);
    if (request.other && &backendOf(*request.other) != &backend)
        return Error{
            ErrorCode::BadRequest,
            "The two models are on different machines, so their maps cannot be compared; open both on "
            "the same one.",
            {}};
    return backend.analyse(request, hooks, onPart);
}

Result<FeatureLabels> AnyBackend::keepLabels(const std::shared_ptr<const OpenModel>& model,
                                             const std::string& coders, const FeatureLabels& labels,
                                             const Hooks& hooks)
{
    return backendOf(model->request.source).keepLabels(model, coders, labels, hooks);
}

Result<analyses::DeviceCheck> AnyBackend::checkDevice(const std::shared_ptr<const OpenModel>& model,
                                                      const std::vector<std::int64_t>& tokens,
                                                      const Hooks& hooks)
{
    return backendOf(model->request.source).checkDevice(model, tokens, hooks);
}

}  // namespace hs::service
