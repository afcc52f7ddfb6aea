#include "analyses/circuit.h"

#include "analyses/circuit_search.h"
#include "base/failure.h"
#include "base/text_format.h"
#include "engine/load/model.h"
#include "engine/run/request_check.h"
#include "engine/run/run_room.h"
#include "stats/head_summary.h"

namespace hs::analyses {
namespace {

constexpr std::int64_t kMostUnits = 8'000'000;

/// Either run with what it is to keep, for checking its memory beforehand.
engine::RunRequest asKept(engine::RunRequest run, const CircuitRequest& request)
{
    run.capture.headOutputs = true;
    run.capture.headCells = request.units == CircuitUnits::Edges;
    run.capture.watched = {request.target};
    if (request.versus)
        run.capture.watched.push_back(*request.versus);
    return run;
}

/// Parts of an ablated head can be told apart only if it is off in both runs and has none.
void checkWhole(const CircuitRequest& request, const std::string& parts)
{
    for (const engine::RunRequest* run : {&request.clean, &request.corrupted})
        for (const auto& [head, ablation] : run->ablations)
            if (ablation.kind != engine::HeadAblation::Kind::Zero ||
                !request.clean.ablations.contains(head) || !request.corrupted.ablations.contains(head))
                fail(ErrorCode::BadRequest, toString(head) + " is ablated, so that its " + parts +
                                                " cannot be told apart; lift the ablation, or search for "
                                                "heads.");
}

void checkCells(const CircuitRequest& request)
{
    const model::ArchSpec& spec = request.clean.model->spec();
    std::int64_t cells = 0;
    for (const int window : spec.windows)
        cells +=
            stats::visibleCells(static_cast<std::int64_t>(request.clean.tokens.size()), window) * spec.heads;
    if (cells > kMostUnits)
        fail(ErrorCode::TooLarge, "The patterns have " + formatCount(cells) + " cells, more than the " +
                                      formatCount(kMostUnits) +
                                      " that can be ranked; shorten the prompts, or search for heads.");
    checkWhole(request, "cells");
}

void checkPathCount(const CircuitRequest& request)
{
    const std::int64_t paths = countPaths(request.clean.model->spec().headShape());
    if (paths > kMostUnits)
        fail(ErrorCode::TooLarge, "There are " + formatCount(paths) +
                                      " paths between the heads, more than the " + formatCount(kMostUnits) +
                                      " that can be ranked; search for heads.");
    checkWhole(request, "paths");
}

void checkPair(const CircuitRequest& request)
{
    const engine::RunRequest& clean = request.clean;
    const engine::RunRequest& corrupted = request.corrupted;
    for (const engine::RunRequest& run : {asKept(clean, request), asKept(corrupted, request)}) {
        engine::checkRequest(run);
        engine::requireRoom(run);
    }
    if (clean.model != corrupted.model)
        fail(ErrorCode::BadRequest,
             "The clean and the corrupted prompt run on different models; use one model for both.");
    if (clean.tokens.size() != corrupted.tokens.size())
        fail(ErrorCode::BadRequest, "The clean prompt has " +
                                        formatCount(static_cast<std::int64_t>(clean.tokens.size())) +
                                        " tokens and the corrupted one " +
                                        formatCount(static_cast<std::int64_t>(corrupted.tokens.size())) +
                                        "; change words so that both have the same number.");
    if (clean.tokens == corrupted.tokens)
        fail(ErrorCode::BadRequest,
             "The clean and the corrupted prompt are the same; change the word that the answer hangs on.");
    engine::checkTargets(request.target, request.versus);
    if (!(request.level > 0 && request.level <= 1))
        fail(ErrorCode::BadRequest, "An explained effect reaches from 0 to 1; choose a level in between.");
    if (request.units == CircuitUnits::Edges)
        checkCells(request);
    if (request.units == CircuitUnits::Paths)
        checkPathCount(request);
}

}  // namespace

Result<Circuit> findCircuit(engine::Engine& engine, const CircuitRequest& request, const Hooks& hooks,
                            const CircuitNews& news)
{
    return guarded([&] {
        checkPair(request);
        return CircuitSearch(engine, request, hooks, news).find();
    });
}

}  // namespace hs::analyses
