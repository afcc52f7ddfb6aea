#include "control/work/set_words.h"

#include "render/translate.h"

#include <QLocale>

namespace hs::control {

QString setWords(const service::SideResult& run)
{
    if (!run.set || !run.request.view)
        return {};
    const QLocale locale;
    const QString prompts =
        run.set->done == run.set->count
            ? locale.toString(run.set->count)
            : tr("%1 of %2").arg(locale.toString(run.set->done), locale.toString(run.set->count));
    switch (run.request.view->average) {
    case analyses::SetAverage::Mean: return tr("mean of %1 prompts").arg(prompts);
    case analyses::SetAverage::Largest: return tr("largest of %1 prompts").arg(prompts);
    case analyses::SetAverage::Deviation: break;
    }
    return tr("deviation over %1 prompts").arg(prompts);
}

}  // namespace hs::control
