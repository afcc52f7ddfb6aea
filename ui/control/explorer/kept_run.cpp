#include "control/explorer/kept_run.h"

#include "control/work/set_words.h"
#include "render/translate.h"
#include "text/chat.h"

#include <QStringList>

namespace hs::control {
namespace {

constexpr int kLongestPrompt = 32;  // characters of it that are shown

}  // namespace

KeptRun keep(const SideRun& run)
{
    const service::SideRequest& request = run.request;
    QString prompt =
        QString::fromStdString(request.tokenIds.empty() ? text::promptWords(request.prompt, request.isChat)
                                                        : request.tokenIds)
            .simplified();
    if (prompt.size() > kLongestPrompt)
        prompt = prompt.left(kLongestPrompt - 1).trimmed() + QStringLiteral("…");
    QStringList words = {run.set ? setWords(run) : tr("“%1”").arg(prompt)};
    if (!request.generated.empty())
        words << tr("%1 generated").arg(request.generated.size());
    if (request.gate)
        words << tr("gate on");
    if (!request.ablations.empty())
        words << tr("%1 ablated").arg(request.ablations.size());
    return {request.model->request.source, words.join(QStringLiteral(", ")), run.after};
}

}  // namespace hs::control
