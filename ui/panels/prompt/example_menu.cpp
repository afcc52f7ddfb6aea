#include "panels/prompt/example_menu.h"

#include "panels/widgets/panel_widgets.h"
#include "render/translate.h"

namespace hs::panels {
namespace {

[[maybe_unused]] constexpr const char* kGroupTitles[] = {
    QT_TRANSLATE_NOOP("HeadScope", "Indirect objects"), QT_TRANSLATE_NOOP("HeadScope", "Greater than"),
    QT_TRANSLATE_NOOP("HeadScope", "Opposites"),        QT_TRANSLATE_NOOP("HeadScope", "Addition"),
    QT_TRANSLATE_NOOP("HeadScope", "Repeats"),          QT_TRANSLATE_NOOP("HeadScope", "Agreement"),
    QT_TRANSLATE_NOOP("HeadScope", "General English")};

bool isDemo(const control::Document& document)
{
    return document.side(Side::Left).model.startsWith(QLatin1String("demo:")) ||
           document.side(Side::Right).model.startsWith(QLatin1String("demo:"));
}

}  // namespace

ExampleMenu::ExampleMenu(control::Explorer& explorer, QWidget* parent) : QMenu(parent), m_explorer(explorer)
{
    setToolTipsVisible(true);
    connect(this, &QMenu::aboutToShow, this, &ExampleMenu::fill);
}

void ExampleMenu::fill()
{
    clear();
    const bool isForDemo = isDemo(m_explorer.document());
    for (const ExampleGroup& group : shippedExamples()) {
        if (group.isForDemo != isForDemo)
            continue;
        addSection(hs::tr(qUtf8Printable(group.title)));
        for (const Example& example : group.examples) {
            if (m_isForPairs && example.corrupted.isEmpty())
                continue;
            QAction* const action = addPlainAction(*this, example.text);
            QString tip = tr("Target “%1”, distractor “%2”").arg(example.target, example.distractor);
            if (!example.corrupted.isEmpty())
                tip += tr("\nCorrupted: %1").arg(example.corrupted);
            action->setToolTip(tip);
            connect(action, &QAction::triggered, this, [this, example] { choose(example); });
        }
    }
}

void ExampleMenu::choose(const Example& example)
{
    m_explorer.edit(tr("Choose example"), [&example](control::Document& document) {
        if (document.prompt().text != example.text) {
            document.key.reset();
            document.query.reset();
            document.position.reset();
        }
        control::setPrompt(document, example.text);
        document.target = example.target;
        document.distractor = example.distractor;
        document.corrupted = example.corrupted;
    });
    Q_EMIT chosen(example);
}

}  // namespace hs::panels
