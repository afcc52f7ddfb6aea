#include "panels/widgets/picture_file.h"

#include "analyses/analysis_json.h"
#include "panels/analyses/flow/token_flow_diagram.h"
#include "panels/analyses/flow/token_flow_panel.h"
#include "support/catch.h"
#include "ui/panels/live_stage.h"

#include <QFile>
#include <QTemporaryDir>

using namespace hs;
using namespace hs::test;

namespace {

using PictureScene = LiveStage<panels::TokenFlowPanel, service::AnalysisKind::Flow>;

}  // namespace

TEST_CASE("a live result leaves as JSON, both sides of it")
{
    PictureScene scene;
    const QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("flow.json"));
    scene.panel.actions().exportData(file);
    const Json tree = readJsonFile(file.toStdString());
    REQUIRE(tree.at("sides").size() == 2);
    for (const Side side : kSides)
        CHECK(tree.at("sides").at(indexOf(side)).at("result") ==
              analyses::toJson(scene.found<stats::TokenFlow>(side)));
}

TEST_CASE("a diagram leaves as a picture on paper, whatever the theme")
{
    PictureScene scene;
    const QTemporaryDir folder;
    const auto& diagram = child<panels::FlowDiagram>(scene.panel, "flowDiagram0");
    QPalette dark = scene.panel.palette();
    dark.setColor(QPalette::Window, Qt::black);
    dark.setColor(QPalette::Base, Qt::black);
    scene.panel.setPalette(dark);
    const QString png = folder.filePath(QStringLiteral("flow.png"));
    scene.panel.actions().exportPicture(diagram, png);
    const QImage picture(png);
    CHECK(picture.size() == diagram.size() * 3);
    CHECK(picture.pixelColor(1, 1) == QColor(Qt::white));
    CHECK(countPixels(picture, [](const QColor& colour) { return colour.saturation() > 100; }) > 100);

    const QString pdf = folder.filePath(QStringLiteral("flow.pdf"));
    scene.panel.actions().exportPicture(diagram, pdf);
    QFile written(pdf);
    REQUIRE(written.open(QIODevice::ReadOnly));
    CHECK(written.read(5) == "%PDF-");
}

TEST_CASE("a picture of another format, or where nothing can be written, is refused with the remedy")
{
    const panels::Paint nothing = [](QPainter&, const QPalette&) {};
    const auto gif = panels::writePicture("flow.gif", {10, 10}, nothing);
    REQUIRE_FALSE(gif);
    CHECK(gif.error().message.find("end it in .pdf or .png") != std::string::npos);
    const auto lost = panels::writePicture("/no/such/folder/flow.png", {10, 10}, nothing);
    REQUIRE_FALSE(lost);
    CHECK(lost.error().message.find("choose another folder") != std::string::npos);
}
