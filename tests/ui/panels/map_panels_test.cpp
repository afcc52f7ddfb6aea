// The panels on maps from a file: tokens of two axes, patches of a picture, and what takes an engine greyed.
#include "panels/analyses/flow/token_flow_panel.h"
#include "panels/analyses/sweep/sweep_panel.h"
#include "panels/heads/edges_panel.h"
#include "panels/heads/head_toggles_panel.h"
#include "panels/inspector/head_plot.h"
#include "panels/inspector/inspector_panel.h"
#include "panels/inspector/patch_picture.h"
#include "panels/prompt/predictions_panel.h"
#include "panels/prompt/prompt_edit.h"
#include "panels/prompt/prompt_panel.h"
#include "panels/prompt/token_strip.h"
#include "support/catch.h"
#include "ui/panels/panel_stage.h"

#include <QAbstractItemView>
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QStandardItemModel>
#include <QTest>
#include <QUndoStack>

#include <cmath>

using namespace hs;
using namespace hs::test;

namespace {

PanelStage::Setup onMaps(const char* left, const char* right = "")
{
    PanelStage::Setup setup;
    setup.left = QLatin1String(left);
    setup.right = QLatin1String(right);
    return setup;
}

void clickToken(panels::TokenStrip& strip, int token)
{
    QTest::mouseClick(strip.viewport(), Qt::LeftButton, {}, strip.chipRect(token).center());
}

/// Fetches what the inspector waits for, and lays it out.
void waitForMap(control::Explorer& explorer, int layer)
{
    QSignalSpy ready(&explorer, &control::Explorer::mapReady);
    while (!explorer.map({Side::Left, layer, engine::MapKind::Weights, false}))
        REQUIRE(ready.wait());
    for (int round = 0; round < 6; ++round)
        QApplication::processEvents();
}

}  // namespace

TEST_CASE("where keys are other tokens than queries, each has its strip and a clickToken pins on its axis")
{
    PanelStage stage(onMaps("maps:3x4:7x19"));
    panels::PromptPanel panel(stage.explorer());
    present(panel, {1200, 160});
    auto& queries = child<panels::TokenStrip>(panel, "tokenStrip");
    auto& keys = child<panels::TokenStrip>(panel, "secondStrip");
    CHECK(keys.isVisible());
    CHECK(queries.count() == 7);
    CHECK(keys.count() == 19);
    clickToken(keys, 12);
    CHECK(stage.document().key == 12);
    CHECK_FALSE(stage.document().query);
    clickToken(queries, 3);
    CHECK(stage.document().key == 12);
    CHECK(stage.document().query == 3);
    CHECK(queries.stateOf(3).isQuery);
    CHECK_FALSE(queries.stateOf(3).isKey);
    CHECK_FALSE(keys.stateOf(3).isQuery);
    clickToken(keys, 12);
    CHECK_FALSE(stage.document().key);
    CHECK(queries.describe(3) == QStringLiteral("Query 3 “q3”, pinned as query"));
}

TEST_CASE("tokens that are both have one strip, in which a key may come after its query")
{
    PanelStage stage(onMaps("maps:3x4:9x9"));
    panels::PromptPanel panel(stage.explorer());
    present(panel, {1200, 160});
    CHECK_FALSE(child<panels::TokenStrip>(panel, "secondStrip").isVisible());
    auto& strip = child<panels::TokenStrip>(panel, "tokenStrip");
    CHECK(strip.count() == 9);
    clickToken(strip, 7);
    clickToken(strip, 2);
    CHECK(stage.document().key == 7);
    CHECK(stage.document().query == 2);
}

TEST_CASE("without an engine the prompt is greyed, says why, and is not lost")
{
    PanelStage stage(onMaps("maps:3x4:9x9"));
    const QString prompt = stage.document().prompt().text;
    panels::PromptPanel panel(stage.explorer());
    present(panel, {1000, 140});
    auto& edit = child<panels::PromptEdit>(panel, "promptEdit");
    CHECK_FALSE(edit.isEnabled());
    CHECK(edit.toPlainText().isEmpty());
    CHECK(edit.toolTip() == stage.explorer().whyNoRun());
    for (const char* const name :
         {"runButton", "bosButton", "corruptedButton", "examplesButton", "generateButton"}) {
        CHECK_FALSE(child<QPushButton>(panel, name).isEnabled());
        CHECK(child<QPushButton>(panel, name).toolTip() == stage.explorer().whyNoRun());
    }
    stage.explorer().openModel(Side::Left, QStringLiteral("fake:4x6"));
    stage.settle();
    CHECK(edit.isEnabled());
    CHECK(edit.toPlainText() == prompt);
    CHECK(stage.document().prompt().text == prompt);
}

TEST_CASE("panels that need an engine show the reason where their result would be")
{
    PanelStage stage(onMaps("maps:3x4:7x19"));
    const QString reason = stage.explorer().whyNoRun();
    panels::PredictionsPanel predictions(stage.explorer());
    present(predictions, {300, 400});
    CHECK(child<QLabel>(predictions, "predictionEmpty").text() == reason);
    CHECK(child<QLabel>(predictions, "predictionHeading").text() == QStringLiteral("Next token"));
    panels::HeadTogglesPanel toggles(stage.explorer());
    present(toggles, {300, 400});
    CHECK(child<QLabel>(toggles, "togglesEmpty").text() == reason);
    CHECK_FALSE(child<QComboBox>(toggles, "ablationKind").isEnabled());
    panels::SweepPanel sweep(stage.explorer());
    present(sweep, {600, 300});
    CHECK(child<QLabel>(sweep, "analysisEmpty").text() == reason);
    CHECK_FALSE(child<QPushButton>(sweep, "analysisRun").isEnabled());
    panels::TokenFlowPanel flow(stage.explorer());
    present(flow, {600, 300});
    CHECK(child<QLabel>(flow, "analysisEmpty").text().contains(QStringLiteral("as many keys as queries")));
}

TEST_CASE("the heads that map a later key are found where queries see everything")
{
    PanelStage stage(onMaps("maps:3x4:9x9"));
    stage.explorer().edit(QStringLiteral("Pin"), [](control::Document& document) {
        document.key = 8;
        document.query = 1;
        document.edgeThreshold = 0.01;
    });
    panels::EdgesPanel panel(stage.explorer());
    QSignalSpy ready(&stage.explorer(), &control::Explorer::cellWeightsReady);
    present(panel, {400, 400});
    if (!stage.explorer().cellWeights(Side::Left))
        REQUIRE(ready.wait());
    QApplication::processEvents();
    CHECK_FALSE(child<QWidget>(panel, "edgesEmpty").isVisible());
    CHECK(child<QAbstractItemView>(panel, "edgeTable").model()->rowCount() > 0);
}

TEST_CASE("every pixel of a rectangular map reads the cell that it shows, at every zoom")
{
    panels::MapViewport view;
    view.setSize(7, 19);
    view.setPlace(QRect(30, 10, 380, 140));
    for (const double factor : {1.0, 1.7, 6.0, 0.3}) {
        view.zoomAt({200, 90}, factor);
        CHECK(view.seen().left() >= 0);
        CHECK(view.seen().right() <= 19 + 1e-9);
        CHECK(view.seen().bottom() <= 7 + 1e-9);
        for (int y = 10; y < 150; y += 3)
            for (int x = 30; x < 410; x += 3) {
                const auto cell = view.cellAt(QPointF(x + 0.5, y + 0.5));
                REQUIRE(cell);
                REQUIRE(view.rectOf(*cell).adjusted(-1e-6, -1e-6, 1e-6, 1e-6).contains(x + 0.5, y + 0.5));
            }
    }
    view.fit();
    CHECK(view.isFitted());
}

TEST_CASE("the inspector shows a rectangular map whole, and its views that need an engine are greyed")
{
    PanelStage stage(onMaps("maps:3x4:7x19"));
    stage.explorer().setCurrent(Side::Left, HeadId{1, 2});
    panels::InspectorPanel panel(stage.explorer());
    panel.setMapView(panels::MapView::Scores);
    present(panel, {700, 700});
    waitForMap(stage.explorer(), 1);
    CHECK(panel.mapView() == panels::MapView::Weights);
    auto& plot = child<panels::HeadPlot>(panel, "inspectorPlotLeft");
    CHECK(plot.view().queries() == 7);
    CHECK(plot.view().keys() == 19);
    const QSizeF cell = plot.view().cellSize();
    CHECK(std::abs(cell.width() - cell.height()) < 2);
    auto& views = child<QComboBox>(panel, "inspectorView");
    const auto& model = dynamic_cast<const QStandardItemModel&>(*views.model());
    const int scores = views.findData(static_cast<int>(panels::MapView::Scores));
    CHECK_FALSE(model.item(scores)->isEnabled());
    CHECK(views.itemData(scores, Qt::ToolTipRole).toString() == stage.explorer().whyNoRun());
    CHECK(model.item(views.findData(static_cast<int>(panels::MapView::BetweenSides)))->isEnabled());
    stage.explorer().setHover({Side::Left, HeadId{1, 2}, 2, 15});
    const QString readout = child<QLabel>(panel, "inspectorReadoutLeft").text().replace(QChar::Nbsp, u' ');
    CHECK(readout.startsWith(QStringLiteral("query 2 “q2” → key 15 “k15”   weight ")));
    CHECK_FALSE(readout.contains(QStringLiteral("score")));
    CHECK_FALSE(child<panels::PatchPicture>(panel, "inspectorPatchesLeft").isVisible());
}

TEST_CASE("a row lies over the picture, each weight on the patch that is its key")
{
    PanelStage stage(onMaps("maps:2x2:5x17+patches"));
    stage.explorer().setCurrent(Side::Left, HeadId{1, 1});
    panels::InspectorPanel panel(stage.explorer());
    present(panel, {700, 700});
    waitForMap(stage.explorer(), 1);
    auto& patches = child<panels::PatchPicture>(panel, "inspectorPatchesLeft");
    REQUIRE(patches.isVisible());
    CHECK(patches.patchRect(0).isEmpty());  // stands for the whole picture
    for (int key = 1; key < 17; ++key)
        CHECK(patches.keyAt(patches.patchRect(key).center()) == key);
    CHECK(patches.otherKeys().startsWith(QStringLiteral("k0 0.")));

    stage.explorer().setHover({Side::Left, HeadId{1, 1}, 3, std::nullopt});
    QApplication::processEvents();
    const QImage image = patches.grab().toImage();
    const auto redness = [&](int key) {
        const QColor colour = image.pixelColor(patches.patchRect(key).center().toPoint());
        return colour.red() - colour.blue();
    };
    const engine::LayerMap map = stage.explorer().map({Side::Left, 1, engine::MapKind::Weights, false});
    const float* const row = map.get() + (1 * 5 + 3) * 17;
    for (int key = 1; key < 17; ++key)
        for (int other = 1; other < 17; ++other)
            if (row[key] > 1.2f * row[other] + 0.01f)
                CHECK(redness(key) > redness(other));
}
