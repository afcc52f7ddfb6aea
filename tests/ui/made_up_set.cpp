#include "ui/made_up_set.h"

#include "train/named_prompts.h"

namespace hs::test {
namespace {

text::PromptSet opened(const service::SetSource& source, const service::OpenModel& model)
{
    return train::openPrompts(source.where, text::PromptNeeds::Text, model.tokenizer.get(), source.pattern);
}

}  // namespace

service::SideResult asSet(service::SideResult run, bool isPart)
{
    service::SetSummary summary;
    summary.count = opened(run.request.view->set, *run.request.model).count();
    summary.done = isPart ? summary.count / 2 : summary.count;
    summary.low = summary.high = run.after.stats;
    run.set = std::make_shared<const service::SetSummary>(std::move(summary));
    run.after.predictions.clear();
    if (!isPart)
        run.before = run.after;
    run.target = run.distractor = {};
    return run;
}

analyses::SetResult madeUpScores(const service::AnalysisRequest& request, bool isPart)
{
    text::PromptSet set = opened(request.set, *request.side.model);
    const bool hasGate = request.side.model->ownGateBias.has_value();
    analyses::SetResult result;
    result.promptCount = set.count();
    result.groups.emplace_back("overall", std::vector<std::string>{"model"},
                               std::vector<std::string>{"loss", "density"});
    while (const std::optional<text::SetPrompt> prompt = set.next()) {
        const int index = prompt->index;
        if (isPart && index >= result.promptCount / 2)
            break;
        if (!prompt->problem.empty()) {
            result.leftOut.push_back({index, prompt->problem});
            continue;
        }
        const double loss = 2 + 0.25 * (7 * index % 11) + (hasGate ? 0.5 : 0);
        result.rows.push_back({index, 4, {{{loss, hasGate && index % 3 == 0 ? " John" : " Mary", 0.5}, {}}}});
        result.groups.front().at(0, 0).add(loss);
    }
    return result;
}

}  // namespace hs::test
