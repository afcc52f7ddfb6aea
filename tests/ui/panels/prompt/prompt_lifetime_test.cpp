#include "panels/heads/edges_panel.h"
#include "panels/heads/head_toggles_panel.h"
#include "panels/prompt/predictions_panel.h"
#include "panels/prompt/prompt_panel.h"

#include "support/catch.h"
#include "ui/panels/panel_stage.h"

#include <QApplication>
#include <QTest>

using namespace hs;
using namespace hs::test;

namespace {

/// Types into a field of a panel and deletes the panel before the text is committed.
template <class Panel>
void typeAndGo(PanelStage& stage, const char* field, const QString& text)
{
    const control::Document before = stage.document();
    {
        Panel panel(stage.explorer());
        present(panel, {600, 400});
        auto& widget = child<QWidget>(panel, field);
        widget.setFocus();
        REQUIRE(QApplication::focusWidget() == &widget);
        QTest::keyClicks(&widget, text);
    }
    QApplication::processEvents();
    CHECK(stage.document() == before);
}

}  // namespace

TEST_CASE("a panel that goes while something is typed in it leaves the document alone")
{
    PanelStage stage;
    typeAndGo<panels::PromptPanel>(stage, "promptEdit", QStringLiteral("half"));
    typeAndGo<panels::PredictionsPanel>(stage, "targetEdit", QStringLiteral("Ma"));
    typeAndGo<panels::HeadTogglesPanel>(stage, "headFilter", QStringLiteral("L2"));
    typeAndGo<panels::EdgesPanel>(stage, "edgeKey", QStringLiteral("7"));
}
