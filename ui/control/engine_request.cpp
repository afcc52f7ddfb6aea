#include "control/engine_request.h"

#include "engine/model.h"

#include <algorithm>
#include <cmath>

namespace hs {
namespace {

constexpr int kLargestTile = 256;
constexpr double kTileBytes = 64 << 20;  // of all heads together
constexpr std::size_t kPiecesNamed = 4;

std::string trimmed(const std::string& text)
{
    const std::size_t begin = text.find_first_not_of(' ');
    return begin == std::string::npos ? std::string()
                                      : text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

/// The one token a text is, if it is.
std::optional<std::int64_t> oneToken(const Tokenizer& tokenizer, const std::string& text)
{
    const auto encoding = tokenizer.encode(text, /*addSpecial=*/false);
    if (!encoding || encoding->ids.size() != 1)
        return std::nullopt;
    // A word that the vocabulary lacks is one token, too: the one for unknown words.
    const std::int64_t id = encoding->ids.front();
    return trimmed(tokenizer.tokenText(id)) == trimmed(text) ? std::optional(id) : std::nullopt;
}

std::string piecesOf(const Tokenizer& tokenizer, const std::string& text)
{
    const auto encoding = tokenizer.encode(text, /*addSpecial=*/false);
    if (!encoding || encoding->ids.size() < 2)
        return {};
    std::string pieces;
    for (std::size_t index = 0; index < std::min(encoding->ids.size(), kPiecesNamed); ++index)
        pieces += (index == 0 ? "\"" : ", \"") + tokenizer.tokenText(encoding->ids[index]) + "\"";
    return encoding->ids.size() > kPiecesNamed ? pieces + ", …" : pieces;
}

std::optional<ScoreGate> gateOf(const SideRequest& request)
{
    switch (request.gate) {
    case GateChoice::Own: return ownGate(*request.model->model);
    case GateChoice::Off: return std::nullopt;
    case GateChoice::Score: return ScoreGate{request.gateBias};
    }
    return std::nullopt;
}

}  // namespace

WatchChoice chooseWatched(const Tokenizer& tokenizer, const std::string& text)
{
    if (trimmed(text).empty())
        return {};
    for (const std::string& form : {text, " " + text})
        if (const std::optional<std::int64_t> id = oneToken(tokenizer, form))
            return {*id, {}};
    const std::string pieces = piecesOf(tokenizer, text);
    if (pieces.empty())
        return {-1, "\"" + text + "\" is not in this model's vocabulary; choose another word."};
    return {-1, "\"" + text + "\" is more than one token here (" + pieces + "); choose one of them."};
}

EngineRequest engineRequest(const SideRequest& request)
{
    if (!request.model || !request.model->model)
        fail(ErrorCode::BadRequest, "There is no model to run; open one first.");
    const Tokenizer* const tokenizer = request.model->tokenizer.get();
    if (!tokenizer)
        fail(ErrorCode::NotFound, "This model's folder has no tokenizer, so text cannot be run; put its "
                                  "tokenizer.json there and open the model again.");
    EngineRequest plan;
    plan.tokens = orThrow(tokenizer->tokens(request.prompt, request.hasBos));
    plan.target = chooseWatched(*tokenizer, request.target);
    plan.distractor = chooseWatched(*tokenizer, request.distractor);

    RunRequest& run = plan.run;
    run.model = request.model->model;
    for (const Token& token : plan.tokens)
        run.tokens.push_back(token.id);
    for (const auto& [head, kind] : request.ablations)
        run.ablations[head].kind = kind;
    run.gate = gateOf(request);
    const int length = static_cast<int>(run.tokens.size());
    run.capture.tileSide = tileSideFor(request.model->heads, length);
    if (request.position && *request.position >= 0 && *request.position < length)
        run.capture.position = request.position;
    for (const WatchChoice& watched : {plan.target, plan.distractor})
        if (watched.id >= 0 && watched.id < run.model->spec().vocabulary)
            run.capture.watched.push_back(watched.id);
    return plan;
}

int tileSideFor(const HeadShape& heads, int tokens)
{
    const double withinBudget = std::sqrt(kTileBytes / std::max(heads.total(), 1));
    return std::max(1, std::min({kLargestTile, tokens, static_cast<int>(withinBudget)}));
}

}  // namespace hs
