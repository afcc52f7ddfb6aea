#include "panels/example_menu.h"

#include "panels/panel_widgets.h"

#include <QCoreApplication>

namespace hs {
namespace {

bool isDemo(const Document& document)
{
    return document.side(Side::Left).model.startsWith(QLatin1String("demo:")) ||
           document.side(Side::Right).model.startsWith(QLatin1String("demo:"));
}

}  // namespace

ExampleMenu::ExampleMenu(Explorer& explorer, QWidget* parent) : QMenu(parent), m_explorer(explorer)
{
    setToolTipsVisible(true);
    connect(this, &QMenu::aboutToShow, this, &ExampleMenu::fill);
}

void ExampleMenu::fill()
{
    clear();
    for (const ExampleGroup& group : shippedExamples()) {
        if (group.isForDemo != isDemo(m_explorer.document()))
            continue;
        addSection(QCoreApplication::translate("hs::Examples", qUtf8Printable(group.title)));
        for (const Example& example : group.examples) {
            QAction* const action = addPlainAction(*this, example.text);
            action->setToolTip(tr("Target “%1”, against “%2”").arg(example.target, example.distractor));
            connect(action, &QAction::triggered, this, [this, example] { choose(example); });
        }
    }
}

void ExampleMenu::choose(const Example& example)
{
    m_explorer.edit(tr("Choose example"), [&example](Document& document) {
        if (document.prompt != example.text) {
            document.key.reset();
            document.query.reset();
            document.position.reset();
        }
        setPrompt(document, example.text);
        document.target = example.target;
        document.distractor = example.distractor;
    });
}

}  // namespace hs
