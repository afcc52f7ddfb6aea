#include "app/report/task_reports.h"

#include "app/support/messages.h"
#include "base/failure.h"
#include "base/timing.h"
#include "text/single_token.h"
#include "train/model_pairs.h"

#include <algorithm>

namespace hs::app {
namespace {

engine::RunRequest requestFor(const ReportedModel& model, std::vector<std::int64_t> tokens, bool tf32)
{
    engine::RunRequest request;
    request.model = model.workspace.model;
    request.tokens = std::move(tokens);
    request.gate = model.gate;
    request.tf32 = tf32;
    return request;
}

}  // namespace

train::TaskReport TaskReporter::report(text::PairTask task)
{
    train::TaskReport report;
    report.task = task;
    const Result<std::vector<text::PromptPair>> pairs =
        train::modelPairs(*m_models.tokenizer(), task, m_options.prompts, m_options.seed);
    if (!pairs) {
        report.problem = pairs.error().message;
        return report;
    }
    std::vector<Question> questions;
    for (const text::PromptPair& pair : *pairs)
        questions.push_back(questionOf(pair));
    const auto first = m_models.firstToken();
    if (first && questions.front().clean.front() == *first)
        report.firstToken = m_models.tokenText(*first);
    const double begin = secondsNow();
    score(report, questions);
    const double middle = secondsNow();
    searchCircuits(report, questions);
    m_promptSeconds += middle - begin;
    m_circuitSeconds += secondsNow() - middle;
    return report;
}

TaskReporter::Question TaskReporter::questionOf(const text::PromptPair& pair) const
{
    const auto token = [&](const std::string& text) {
        return orThrow(text::singleToken(*m_models.tokenizer(), text));
    };
    Question question{
        promptOf(pair.clean), promptOf(pair.corrupted), token(pair.target), token(pair.versus), {}};
    for (const std::string& answer : pair.answers)
        question.answers.push_back(token(answer));
    return question;
}

std::vector<std::int64_t> TaskReporter::promptOf(const std::string& text) const
{
    const bool isPlain = m_options.text.withoutBos;
    std::vector<std::int64_t> ids = orThrow(m_models.tokenizer()->encode(text, !isPlain)).ids;
    const auto first = m_models.firstToken();
    if (!isPlain && m_options.startsPrompts && first && ids.front() != *first)
        ids.insert(ids.begin(), *first);
    return ids;
}

void TaskReporter::score(train::TaskReport& report, const std::vector<Question>& questions)
{
    report.prompts = static_cast<int>(questions.size());
    m_isAnswered.assign(questions.size(), true);
    ProgressLine progress("Prompt of " + std::string(wordOf(report.task)));
    const Hooks hooks{progress.callback(), interruptToken()};
    for (std::size_t model = 0; model < report.scores.size(); ++model) {
        train::TaskScore& score = report.scores[model];
        for (std::size_t index = 0; index < questions.size(); ++index) {
            hooks.throwIfCancelled();
            hooks.report(static_cast<int>(model * questions.size() + index), 2 * report.prompts);
            const Question& question = questions[index];
            engine::RunRequest request = requestFor(m_models[model], question.clean, m_options.run.tf32);
            request.capture.topK = 1;
            request.capture.watched = {question.target, question.versus};
            request.capture.loss = false;
            request.capture.tileSide = 1;
            const engine::RunResult result = orThrow(m_models[model].engine.run(request, {{}, hooks.stop}));
            const double difference = result.watched[0].logit - result.watched[1].logit;
            const bool isTop = std::ranges::find(question.answers, result.predictions.front().token) !=
                               question.answers.end();
            score.accuracy += difference > 0;
            score.top += isTop;
            score.logitDifference += difference;
            if (!(difference > 0))
                m_isAnswered[index] = false;
        }
        for (double* const sum : {&score.accuracy, &score.top, &score.logitDifference})
            *sum /= static_cast<double>(questions.size());
    }
}

void TaskReporter::searchCircuits(train::TaskReport& report, const std::vector<Question>& questions)
{
    ProgressLine progress("Pair of " + std::string(wordOf(report.task)));
    const Hooks hooks{progress.callback(), interruptToken()};
    for (std::size_t index = 0; index < questions.size() && std::ssize(report.pairs) < m_options.pairs;
         ++index) {
        if (!m_isAnswered[index])
            continue;
        hooks.report(static_cast<int>(report.pairs.size()), m_options.pairs);
        const auto found = guarded([&] { return smallestCircuits(questions[index]); });
        if (!found && found.error().code != ErrorCode::BadRequest)
            throw Failure(found.error());
        if (!found)  // the answer hangs on something else
            continue;
        report.pairs.push_back(static_cast<int>(index));
        for (std::size_t model = 0; model < found->size(); ++model) {
            report.heads.sizes[model].push_back((*found)[model].heads);
            report.edges.sizes[model].push_back((*found)[model].edges);
        }
    }
}

std::array<TaskReporter::Sizes, 2> TaskReporter::smallestCircuits(const Question& question)
{
    std::array<Sizes, 2> sizes;
    for (std::size_t model = 0; model < sizes.size(); ++model)
        sizes[model] = {smallest(model, question, analyses::CircuitUnits::Heads),
                        smallest(model, question, analyses::CircuitUnits::Edges)};
    return sizes;
}

int TaskReporter::smallest(std::size_t model, const Question& question, analyses::CircuitUnits units)
{
    analyses::CircuitRequest request;
    request.clean = requestFor(m_models[model], question.clean, m_options.run.tf32);
    request.corrupted = requestFor(m_models[model], question.corrupted, m_options.run.tf32);
    request.target = question.target;
    request.versus = question.versus;
    request.level = m_options.level;
    request.units = units;
    request.ranking = m_options.ranking;
    return orThrow(analyses::findCircuit(m_models[model].engine, request, {{}, interruptToken()})).smallest;
}

}  // namespace hs::app
