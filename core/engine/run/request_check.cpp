#include "engine/run/request_check.h"

#include "base/failure.h"
#include "base/text_format.h"
#include "engine/load/adapter.h"
#include "engine/load/model.h"
#include "engine/request/forecast.h"
#include "engine/run/head_outputs_tensors.h"

#include <algorithm>
#include <cmath>

namespace hs::engine {
namespace {

void checkTokens(const RunRequest& request, const model::ArchSpec& spec)
{
    const auto length = static_cast<std::int64_t>(request.tokens.size());
    if (length == 0)
        fail(ErrorCode::BadRequest, "The prompt has no tokens; type some text.");
    if (length > spec.context)
        fail(ErrorCode::BadRequest, "The prompt has " + formatCount(length) +
                                        " tokens, but this model takes at most " + formatCount(spec.context) +
                                        "; shorten it.");
    for (std::int64_t position = 0; position < length; ++position) {
        const std::int64_t token = request.tokens[position];
        if (token < 0 || token >= spec.vocabulary)
            fail(ErrorCode::BadRequest, "Token " + std::to_string(token) + " at position " +
                                            std::to_string(position) +
                                            " is outside the vocabulary; give ids from 0 to " +
                                            std::to_string(spec.vocabulary - 1) + ".");
    }
}

void checkSpans(const RunRequest& request)
{
    if (!request.spans.fit(static_cast<int>(request.tokens.size())))
        fail(ErrorCode::BadRequest, "The blocks do not cut this prompt of " +
                                        formatCount(static_cast<std::int64_t>(request.tokens.size())) +
                                        " tokens from its first to its last one; cut it again.");
}

void checkWatched(const RunRequest& request, const model::ArchSpec& spec)
{
    for (const std::int64_t token : request.capture.watched)
        if (token < 0 || token >= spec.vocabulary)
            fail(ErrorCode::BadRequest,
                 "Token " + std::to_string(token) +
                     " cannot be watched, it is outside the vocabulary; choose one from 0 to " +
                     std::to_string(spec.vocabulary - 1) + ".");
}

void checkCells(HeadId head, const HeadAblation& ablation, int length)
{
    if (!ablation.source->hasCells(head))
        fail(ErrorCode::BadRequest, "The run that cells of " + toString(head) +
                                        " should come from did not keep them apart; capture its cells, and "
                                        "do not ablate the head there.");
    for (const CellId cell : ablation.cells->cells)
        if (cell.query < 0 || cell.query >= length || cell.key < 0 || cell.key > cell.query)
            fail(ErrorCode::BadRequest, "No query " + std::to_string(cell.query) + " looks at a key " +
                                            std::to_string(cell.key) + " in this prompt of " +
                                            formatCount(length) +
                                            " tokens; choose a cell on or below the diagonal.");
}

void checkEdits(HeadId head, const HeadAblation& ablation, int length)
{
    const auto refuse = [&](const CellEdit& edit, const std::string& reason) {
        fail(ErrorCode::BadRequest, toString(head) + "[" + toString(edit.cells) + "] " + reason);
    };
    for (const CellEdit& edit : ablation.edits) {
        for (const PositionRange& range : {edit.cells.queries, edit.cells.keys})
            if (range.first < 0 || (range.last && *range.last >= length))
                refuse(edit, "reaches beyond this prompt of " + formatCount(length) +
                                 " tokens; the last position is " + std::to_string(length - 1) + ".");
        if (!edit.cells.hasCells(length))
            refuse(edit, "has no cell, since no query looks at a later key; write the later position first.");
        if (!edit.method.isValid())
            refuse(edit, "is scaled by a factor that is not from 0 to 2; choose another.");
        if (edit.method.kind == CellMethod::Kind::Replace &&
            !(ablation.source && ablation.source->hasCells(head)))
            refuse(edit, "should come from a run that did not keep its cells apart; capture them there.");
    }
}

/// Whether the source has what replaces a head or an MLP in a run of that length.
bool hasOutput(const HeadOutputs& source, HeadId unit, std::size_t length, const model::ArchSpec& spec)
{
    const auto rows = static_cast<std::int64_t>(length);
    const at::Tensor& kept = unit.isMlp() ? source.mlp(unit.layer) : source.z(unit.layer);
    const std::vector<std::int64_t> needed = unit.isMlp()
                                                 ? std::vector<std::int64_t>{rows, spec.hidden}
                                                 : std::vector<std::int64_t>{rows, spec.heads, spec.headDim};
    return kept.defined() && kept.sizes() == needed;
}

void checkAblations(const Ablations& ablations, std::size_t length, const model::ArchSpec& spec)
{
    for (const auto& [head, ablation] : ablations) {
        checkUnit(spec, head);
        if (head.isMlp() && (ablation.changesCells() || ablation.cells))
            fail(ErrorCode::BadRequest, toString(head) +
                                            " has no cells, as an MLP reads each position by itself; "
                                            "ablate it as a whole.");
        checkEdits(head, ablation, static_cast<int>(length));
        if (!ablation.source && ablation.kind != HeadAblation::Kind::Replace)
            continue;
        const HeadOutputs* const source = ablation.source.get();
        if (!source || source->layerCount() != spec.layers || !hasOutput(*source, head, length, spec))
            fail(ErrorCode::BadRequest,
                 "The run that should replace " + toString(head) +
                     " is of another model or another number of tokens; use prompts of equal length.");
        if (ablation.cells)
            checkCells(head, ablation, static_cast<int>(length));
    }
}

void checkWrites(const RunRequest& request, const model::ArchSpec& spec)
{
    if (!request.writes)
        return;
    for (const auto& [place, row] : request.writes->rows) {
        if (place.layer < 0 || place.layer >= spec.layers)
            fail(ErrorCode::BadRequest, "Nothing can be written to layer " + std::to_string(place.layer) +
                                            " of this model of " + std::to_string(spec.layers) +
                                            " layers; choose another.");
        checkPosition(request, place.position);
        if (row.size() != static_cast<std::size_t>(spec.hidden))
            fail(ErrorCode::BadRequest, "What should be written to layer " + std::to_string(place.layer) +
                                            " has " + std::to_string(row.size()) +
                                            " numbers, but the stream of this model is " +
                                            std::to_string(spec.hidden) + " wide; write as many.");
        if (!std::ranges::all_of(row, [](float number) { return std::isfinite(number); }))
            fail(ErrorCode::BadRequest, "What should be written to layer " + std::to_string(place.layer) +
                                            " is not finite; scale by less.");
    }
}

void checkAdapters(const RunRequest& request)
{
    for (const auto& [adapter, strength] : request.adapters) {
        if (!adapter || !fits(*adapter, *request.model))
            fail(ErrorCode::BadRequest, (adapter ? adapter->facts().name : "An adapter") +
                                            " was opened on another model than " +
                                            request.model->facts().name + "; open it on this one.");
        if (!std::isfinite(strength))
            fail(ErrorCode::BadRequest, "The strength of " + adapter->facts().name +
                                            " is not finite; give a number, 1 for what was trained.");
    }
}

void checkMapBudget(const RunRequest& request, const model::ArchSpec& spec)
{
    if (!request.capture.fullMaps)
        return;
    const auto length = static_cast<std::int64_t>(request.tokens.size());
    const std::uint64_t maps = forecastRun(spec, 0, 0, length, request.capture, request.places()).maps;
    if (maps > request.capture.mapBudget)
        fail(ErrorCode::TooLarge,
             "The full maps of " + formatCount(spec.headShape().total()) + " heads over " +
                 formatCount(length) + " tokens take " + formatBytes(maps) + ", more than the budget of " +
                 formatBytes(request.capture.mapBudget) +
                 "; shorten the prompt, raise the budget, or open single layers instead.");
}

}  // namespace

void checkRequest(const RunRequest& request)
{
    if (!request.model)
        fail(ErrorCode::BadRequest, "There is no model to run; open one first.");
    if (request.capture.tileSide < 1 || request.capture.topK < 0)
        fail(ErrorCode::BadRequest,
             "A tile needs at least one cell and predictions cannot be fewer than none; "
             "correct what the run should capture.");
    checkTokens(request, request.model->spec());
    checkSpans(request);
    if (request.capture.position)
        checkPosition(request, *request.capture.position);
    checkWatched(request, request.model->spec());
    checkAblations(request.ablations, request.tokens.size(), request.model->spec());
    checkWrites(request, request.model->spec());
    checkAdapters(request);
    checkMapBudget(request, request.model->spec());
}

void checkTargets(std::int64_t target, std::optional<std::int64_t> versus)
{
    if (versus == target)
        fail(ErrorCode::BadRequest,
             "Target and versus are the same token, whose logits differ by nothing; choose another one.");
}

void checkVariants(const VariantRequest& request)
{
    RunRequest run = request.run;
    run.capture.watched = {request.target};
    if (request.versus)
        run.capture.watched.push_back(*request.versus);
    checkRequest(run);
    checkTargets(request.target, request.versus);
    for (const Ablations& variant : request.variants)
        checkAblations(variant, run.tokens.size(), run.model->spec());
}

void checkUnit(const model::ArchSpec& spec, HeadId unit)
{
    if (!unit.isMlp())
        checkHead(spec, unit);
    else if (!spec.headShape().containsUnit(unit))
        fail(ErrorCode::BadRequest, "There is no " + toString(unit) + " in this model of " +
                                        std::to_string(spec.layers) + " layers; choose another.");
}

void checkHead(const model::ArchSpec& spec, HeadId head)
{
    if (head.isMlp())
        fail(ErrorCode::BadRequest, toString(head) + " is an MLP, which has no pattern; choose a head.");
    if (!spec.headShape().contains(head))
        fail(ErrorCode::BadRequest, "There is no head " + toString(head) + " in this model of " +
                                        std::to_string(spec.layers) + " layers with " +
                                        std::to_string(spec.heads) + " heads each; choose another.");
}

void checkHeadWrite(const RunRequest& request, HeadId head, std::optional<int> key)
{
    checkRequest(request);
    checkUnit(request.model->spec(), head);
    if (!key)
        return;
    checkHead(request.model->spec(), head);
    if (request.ablations.contains(head))
        fail(ErrorCode::BadRequest, toString(head) + " is ablated, so no cell of it writes anything; do not "
                                                     "ablate it, or ask for the whole head.");
    checkPosition(request, *key);
    const int last = static_cast<int>(request.tokens.size()) - 1;
    if (const int query = request.capture.position.value_or(last); *key > query)
        fail(ErrorCode::BadRequest, "Key " + std::to_string(*key) + " comes after query " +
                                        std::to_string(query) +
                                        ", and no token sees later ones; choose an earlier key.");
}

void checkSaliency(const SaliencyRequest& request)
{
    checkVariants({request.run, {}, request.target, request.versus});
    if (request.steps < 1)
        fail(ErrorCode::BadRequest, "Gradients are integrated in at least one step; ask for more.");
    if (request.baseline &&
        (*request.baseline < 0 || *request.baseline >= request.run.model->spec().vocabulary))
        fail(ErrorCode::BadRequest, "Token " + std::to_string(*request.baseline) +
                                        " cannot be the baseline, it is outside the vocabulary; choose "
                                        "another.");
}

void checkPaths(const PathRequest& request)
{
    Ablations senders;
    for (const HeadPath& path : request.paths)
        senders[path.from] = {HeadAblation::Kind::Replace, request.source};
    checkVariants({request.run, {std::move(senders)}, request.target, request.versus});
    for (const auto& [from, to] : request.paths) {
        checkHead(request.run.model->spec(), from);
        if (to.input == PathInput::Logits)
            continue;
        checkHead(request.run.model->spec(), to.head);
        if (to.head.layer <= from.layer)
            fail(ErrorCode::BadRequest, "No path leads from " + toString(from) + " to " + toString(to.head) +
                                            "; choose a receiver in a later layer.");
        if (request.run.ablations.contains(to.head))
            fail(ErrorCode::BadRequest, toString(to.head) + " is ablated, so that nothing follows from what "
                                                            "it reads; lift the ablation, or leave it out.");
    }
}

void checkPlace(const RunRequest& request, int place)
{
    if (!request.fold())
        checkPosition(request, place);
    else if (place < 0 || place >= request.places())
        fail(ErrorCode::BadRequest,
             "There is no block " + std::to_string(place) + " among the " + formatCount(request.places()) +
                 " of this prompt; choose one from 0 to " + std::to_string(request.places() - 1) + ".");
}

void checkPosition(const RunRequest& request, int position)
{
    const auto length = static_cast<std::int64_t>(request.tokens.size());
    if (position < 0 || position >= length)
        fail(ErrorCode::BadRequest, "There is no position " + std::to_string(position) +
                                        " in this prompt of " + formatCount(length) +
                                        " tokens; choose one from 0 to " + std::to_string(length - 1) + ".");
}

}  // namespace hs::engine
