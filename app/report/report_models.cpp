#include "app/report/report_models.h"

#include "app/support/workspace.h"
#include "app/training/training_data.h"
#include "base/failure.h"
#include "base/text_format.h"

#include <algorithm>
#include <sstream>

namespace hs::app {
namespace {

constexpr const char* kSameTokens = "give a sparse model that was made from the dense one.";

void requireSameTokens(const ReportedModel& dense, const ReportedModel& sparse)
{
    const std::int64_t count = dense.workspace.model->spec().vocabulary;
    if (const std::int64_t other = sparse.workspace.model->spec().vocabulary; other != count)
        fail(ErrorCode::BadRequest, dense.name() + " has " + formatCount(count) + " tokens and " +
                                        sparse.name() + " " + formatCount(other) +
                                        ", so their predictions cannot be compared; " + kSameTokens);
    const text::Tokenizer* const first = dense.workspace.tokenizer.get();
    const text::Tokenizer* const second = sparse.workspace.tokenizer.get();
    if (!first || !second)
        return;
    for (std::int64_t id = 0; id < count; ++id)
        if (first->tokenText(id) != second->tokenText(id))
            fail(ErrorCode::BadRequest, "Token " + std::to_string(id) + " is \"" + first->tokenText(id) +
                                            "\" in " + dense.name() + " and \"" + second->tokenText(id) +
                                            "\" in " + sparse.name() +
                                            ", so their predictions cannot be compared; " + kSameTokens);
}

/// The text is measured by the training's own forward pass, which computes in float32.
engine::ModelArguments inFloat(engine::ModelArguments arguments)
{
    if (arguments.dtype == "auto")
        arguments.dtype = "f32";
    return arguments;
}

}  // namespace

std::vector<text::PairTask> parseTasks(const std::string& list)
{
    std::vector<text::PairTask> tasks;
    if (list == "none")
        return tasks;
    std::istringstream words(list);
    for (std::string word; std::getline(words, word, ',');) {
        const auto task = fromWord<text::PairTask>(word);
        if (!task)
            fail(ErrorCode::BadRequest,
                 "\"" + word + "\" is no task; choose from " + listOfWords<text::PairTask>() + ", or none.");
        if (std::ranges::find(tasks, *task) == tasks.end())
            tasks.push_back(*task);
    }
    return tasks;
}

ReportModels::ReportModels(const ReportOptions& options)
{
    m_models[0].workspace = openWorkspace(inFloat(options.dense));
    m_models[1].workspace = openWorkspace(inFloat(options.sparse));
    requireSameTokens(m_models[0], m_models[1]);
    const auto ownBias = [](const ReportedModel& model) { return model.workspace.model->spec().gateBias; };
    m_models[0].gate = engine::chooseGate({}, ownBias(m_models[0]));
    m_models[1].gate = engine::chooseGate(options.run.gateOver(), ownBias(m_models[1]));
}

const text::Tokenizer* ReportModels::tokenizer() const
{
    const auto& own = m_models[0].workspace.tokenizer;
    return own ? own.get() : m_models[1].workspace.tokenizer.get();
}

std::optional<std::int64_t> ReportModels::firstToken() const
{
    if (const auto start = tokenizer() ? startOfText(*tokenizer()) : std::nullopt)
        return start;
    return m_models[0].workspace.model->spec().bosToken;
}

std::string ReportModels::tokenText(std::int64_t id) const
{
    const std::string text = app::tokenText(tokenizer(), id);
    return text.empty() ? "token " + std::to_string(id) : text;
}

int ReportModels::context() const
{
    const auto own = [](const ReportedModel& model) {
        return static_cast<int>(model.workspace.model->spec().context);
    };
    return std::min(own(m_models[0]), own(m_models[1]));
}

}  // namespace hs::app
