#include "analyses/history_json.h"
#include "control/figures/figure_results.h"
#include "control/figures/figure_sources.h"
#include "render/translate.h"

#include <algorithm>

namespace hs::control {
namespace {

constexpr std::size_t kMostLines = 8;  // of a model

service::AnalysisRequest historyRequest(const FigureSources& sources, Side side)
{
    service::AnalysisRequest request;
    request.kind = service::AnalysisKind::History;
    request.side = sources.sideRequest(side);
    request.side.view.reset();
    request.side.position.reset();
    request.side.target.clear();
    request.side.distractor.clear();
    return request;
}

analyses::History historyOf(const FigureSources& sources, Side side)
{
    if (const std::string& given = sources.sideSpec(side).result; !given.empty())
        return readHistory(given);
    return std::get<analyses::History>(
        orThrow(sources.backend().analyse(historyRequest(sources, side), sources.hooks(), {})));
}

/// Whether a side is a step of the other one's training, in the same conditions.
bool isTwin(const FigureSources& sources, Side side)
{
    if (side == sources.sides().front())
        return false;
    const Side other = otherSide(side);
    const std::string& own = sources.sideSpec(side).result;
    const std::string& first = sources.sideSpec(other).result;
    if (!own.empty() || !first.empty())
        return own == first;
    const auto isOfTraining = [&](Side which) {
        return !sources.sideRequest(which).model->revisions.empty();
    };
    return isOfTraining(side) && isOfTraining(other) &&
           service::keyOf(historyRequest(sources, side)) == service::keyOf(historyRequest(sources, other));
}

/// Those that the side lists, or those that change most.
std::vector<HeadId> headsOf(const FigureSources& sources, Side side, const analyses::History& history)
{
    std::vector<HeadId> heads;
    if (sources.sideSpec(side).grid.form == GridChoice::Form::List) {
        heads = sources.heads(side);
        std::erase_if(heads, [&](HeadId head) { return !history.heads.contains(head); });
    } else {
        for (const analyses::HeadJump& jump : analyses::mostChanged(history, sources.metric()))
            heads.push_back(jump.head);
    }
    heads.resize(std::min(heads.size(), kMostLines));
    return heads;
}

}  // namespace

figures::HistoryFigure makeHistoryFigure(const FigureSources& sources)
{
    figures::HistoryFigure figure;
    figure.metric = sources.spec().metric;
    QStringList without;
    for (const Side side : sources.sides()) {
        if (isTwin(sources, side))
            continue;
        if (sources.sideSpec(side).result.empty() && sources.sideRequest(side).model->revisions.empty()) {
            without << sources.title(side);
            continue;
        }
        const analyses::History history = historyOf(sources, side);
        const int panel = static_cast<int>(figure.models.size());
        for (const HeadId head : headsOf(sources, side, history)) {
            std::vector<double> curve = analyses::curveOf(history, head, sources.metric());
            const auto jump = analyses::jumpOf(curve);
            figure.lines.push_back({panel, head, std::move(curve), jump});
        }
        figures::HistoryModel model{sources.title(side), {}};
        for (const analyses::HistoryPoint& point : history.points)
            model.steps.push_back(point.step);
        figure.models.push_back(std::move(model));
    }
    if (!without.isEmpty())
        figure.caption = tr("No other step of the training of %1 is known. ").arg(without.join(tr(" and ")));
    figure.caption +=
        tr("The dot marks the step by which a head has changed most since the one before. On %1.")
            .arg(sources.promptWords());
    return figure;
}

}  // namespace hs::control
