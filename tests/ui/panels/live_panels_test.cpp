#include "panels/analyses/attribution/attribution_panel.h"
#include "panels/analyses/compare/compare_panel.h"
#include "panels/analyses/flow/token_flow_panel.h"
#include "panels/analyses/lens/lens_panel.h"
#include "panels/analyses/scatter/head_scatter_panel.h"
#include "support/catch.h"
#include "ui/late_picture.h"
#include "ui/panels/live_stage.h"
#include "ui/panels/pointing.h"

#include <QLabel>
#include <QTest>

using namespace hs;
using namespace hs::test;

namespace {

/// Shows the panel at several sizes and moves the pointer across everything.
template <class Panel, service::AnalysisKind kind>
void wander(const PanelStage::Setup& setup)
{
    LiveStage<Panel, kind> scene(setup);
    for (const QSize size : {QSize(1000, 260), QSize(600, 260), QSize(320, 180), QSize(500, 900)}) {
        scene.panel.resize(size);
        scene.panel.grab();
        for (QWidget* const part : scene.panel.template findChildren<QWidget*>())
            if (part->isVisible() && part->hasMouseTracking())
                for (int share = 5; share < 100; share += 15)
                    pointAt(*part, QPointF(part->width() * share / 100, part->height() * share / 100));
    }
    scene.edit([](control::Document& document) { document.key = document.query = 0; });
    scene.panel.actions().fill();
    scene.edit([](control::Document& document) { control::setPrompt(document, QString()); });
    scene.panel.grab();
}

void wanderAll(const PanelStage::Setup& setup)
{
    wander<panels::AttributionPanel, service::AnalysisKind::Attribution>(setup);
    wander<panels::HeadScatterPanel, service::AnalysisKind::Scatter>(setup);
    wander<panels::ComparePanel, service::AnalysisKind::Compare>(setup);
    wander<panels::TokenFlowPanel, service::AnalysisKind::Flow>(setup);
    wander<panels::LensPanel, service::AnalysisKind::Lens>(setup);
}

PanelStage::Setup setup(const QString& left, const QString& right, const QString& prompt)
{
    PanelStage::Setup made;
    made.left = left;
    made.right = right;
    made.prompt = prompt;
    return made;
}

}  // namespace

TEST_CASE("live panels take odd documents: no model, no prompt, one side, one token")
{
    wanderAll(setup({}, {}, QStringLiteral("a b c")));
    wanderAll(setup(QStringLiteral("fake:2x3"), QStringLiteral("fake:2x3+gate"), {}));
    wanderAll(setup(QStringLiteral("fake:2x3"), {}, QStringLiteral("a b c")));
    wanderAll(setup({}, QStringLiteral("fake:2x3"), QStringLiteral("a b c")));
    wanderAll(setup(QStringLiteral("fake:1x1"), QStringLiteral("fake:1x1"), QStringLiteral("a")));
}

TEST_CASE("live panels take models of different shapes and tokens, and 1,024 heads")
{
    wanderAll(setup(QStringLiteral("fake:4x6"), QStringLiteral("fake:2x8+gate"), QStringLiteral("a b c d")));
    wanderAll(
        setup(QStringLiteral("fake:4x6"), QStringLiteral("fake:4x6+letters"), QStringLiteral("abc def")));
    wanderAll(
        setup(QStringLiteral("fake:32x32"), QStringLiteral("fake:32x32+gate"), QStringLiteral("a b c d e")));
}

TEST_CASE("while a newer result is under way the old one stays, dimmed")
{
    LiveStage<panels::TokenFlowPanel, service::AnalysisKind::Flow> scene;
    const QImage before = pictureOf(scene.panel);
    scene.stage.backend().hold(FakeBackend::Call::Analysis);
    scene.stage.explorer().edit(QStringLiteral("edit"),
                                [](control::Document& document) { document.analyses.flowThreshold = 0.11; });
    scene.stage.backend().waitUntilHeld(FakeBackend::Call::Analysis);
    CHECK(scene.analyses().state(service::AnalysisKind::Flow, Side::Left).finding);
    CHECK(scene.analyses().state(service::AnalysisKind::Flow, Side::Left).isOutdated);
    const auto isStrong = [](const QColor& colour) { return colour.saturation() > 150; };
    CHECK(countPixels(scene.panel.grab().toImage(), isStrong) < countPixels(before, isStrong) / 2);
    scene.stage.backend().release(FakeBackend::Call::Analysis);
    scene.settle();
}
