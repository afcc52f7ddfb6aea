#include "panels/analyses/prompts/prompt_set_edits.h"

#include "control/analyses/analysis_runs.h"
#include "render/translate.h"
#include "train/named_prompts.h"

#include <QDateTime>
#include <QFileInfo>

namespace hs::panels {
namespace {

QString stampOf(const QString& source)
{
    const QFileInfo file(source);
    return file.exists()
               ? QStringLiteral("%1 %2").arg(file.size()).arg(file.lastModified().toString(Qt::ISODateWithMs))
               : QString();
}

}  // namespace

void openPromptSet(control::Explorer& explorer, const QString& source)
{
    explorer.edit(source.isEmpty() ? tr("Close the set of prompts")
                                   : tr("Open %1").arg(promptSetName(source)),
                  [&](control::Document& document) {
                      document.set = {};
                      document.set.source = source;
                      document.set.stamp = stampOf(source);
                  });
    const bool hasModel = explorer.state(Side::Left).model || explorer.state(Side::Right).model;
    if (!source.isEmpty() && hasModel)
        explorer.analyses().start(service::AnalysisKind::Prompts);
}

QString promptSetName(const QString& source)
{
    if (train::namesTask(source.toStdString()))
        return source;
    return QFileInfo(source).fileName();
}

QString promptFilter()
{
    return tr("Prompts (*.txt *.jsonl *.csv);;All files (*)");
}

bool isPromptFile(const QString& path)
{
    for (const char* const ending : {".txt", ".jsonl", ".csv"})
        if (path.endsWith(QLatin1String(ending), Qt::CaseInsensitive))
            return true;
    return false;
}

void lookAtPrompt(control::Explorer& explorer, const text::SetPrompt& prompt)
{
    if (!prompt.problem.empty())
        return;
    explorer.edit(
        tr("Go through the set"),
        [&](control::Document& document) {
            control::setPrompt(document, QString::fromStdString(prompt.text));
            document.set.index = prompt.index;
            document.set.average.reset();
            if (!prompt.target.empty()) {
                document.target = QString::fromStdString(prompt.target);
                document.distractor = QString::fromStdString(prompt.versus.value_or(""));
            }
            if (prompt.source)
                document.corrupted = QString::fromStdString(*prompt.source);
        },
        QStringLiteral("prompt-of-set"));
}

}  // namespace hs::panels
