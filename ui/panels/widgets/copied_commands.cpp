#include "panels/widgets/copied_commands.h"

#include "base/failure.h"
#include "control/analyses/analysis_runs.h"
#include "service/command_words.h"

#include <QStringList>

namespace hs::panels {
namespace {

/// What a side's run predicts on the text that a result is about; empty if another one is shown.
std::string likeliestToken(const std::shared_ptr<const control::SideRun>& run,
                           const service::SideRequest& asked)
{
    const text::Tokenizer* const tokenizer = asked.model->tokenizer.get();
    if (!run || !tokenizer || !run->request.hasSameInput(asked) || run->after.predictions.empty())
        return {};
    return tokenizer->tokenText(run->after.predictions.front().token);
}

}  // namespace

Result<QString> copiedCommands(const control::Explorer& explorer,
                               std::initializer_list<service::AnalysisKind> kinds)
{
    return guarded([&] {
        QStringList lines;
        for (const service::AnalysisKind kind : kinds)
            for (const Side side : kSides) {
                const control::AnalysisState& state = explorer.analyses().state(kind, side);
                if (!state.finding || (kind != *kinds.begin() && state.isOutdated))
                    continue;
                const service::AnalysisRequest& asked = state.finding->request;
                lines << QString::fromStdString(
                    orThrow(service::commandOf(asked, likeliestToken(explorer.state(side).run, asked.side))));
            }
        lines.removeDuplicates();
        if (lines.isEmpty())
            fail(ErrorCode::NotFound, "There is no result yet; run the analysis first.");
        return lines.join(QLatin1Char('\n'));
    });
}

}  // namespace hs::panels
