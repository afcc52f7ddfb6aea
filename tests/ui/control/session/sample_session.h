#pragma once

#include "control/session/session.h"

namespace hs::test {

/// A figure in which every field differs from its default.
inline control::FigureSpec sampleFigure()
{
    control::FigureSpec figure;
    figure.preset = control::FigurePreset::Flow;
    for (control::FigureSide& side : figure.sides) {
        side.isShown = false;
        side.title = QStringLiteral("Dense, “our”");
        side.grid.form = control::GridChoice::Form::List;
        side.grid.list = {{2, 1}, {0, 3}};
        side.hasOnlyActive = true;
        side.result = R"({"curve": []})";
    }
    figure.isStacked = true;
    figure.key = 3;
    figure.query = 7;
    figure.threshold = 0.25;
    figure.metric = QStringLiteral("entropy");
    figure.target = QStringLiteral(" small");
    figure.versus = QStringLiteral(" big");
    figure.corrupted = QStringLiteral("another prompt");
    figure.units = Units::HeadsAndMlps;
    figure.share = 0.5;
    figure.level = 0.75;
    figure.form = {85.5,
                   QStringLiteral("DejaVu Sans"),
                   8.5,
                   0.25,
                   600,
                   true,
                   render::ColourMap::names().back(),
                   render::Scale::Linear,
                   0.125,
                   0.5,
                   true,
                   false,
                   false,
                   QStringLiteral("A caption"),
                   render::LabelCorner::BottomLeft};
    return figure;
}

/// A session in which every field differs from its default.
inline control::Session sampleSession()
{
    control::Session session;
    control::Document& document = session.document;
    document.alike = {false, true, true};
    document.side(Side::Left).prompt = {
        QString::fromUtf8("When Mary and John went to the caf\u00e9, \"John\"\n\tgave \U0001F375"), true,
        QStringLiteral("1,2,3"), false};
    document.side(Side::Right).prompt = {QStringLiteral("When John"), true, QStringLiteral("3,2"), false};
    document.generation = {30, 0.75, 40, 7, "\n", 2};
    document.step = 2;
    for (const Side side : kSides) {
        control::SideSetup& setup = document.side(side);
        setup.adapters = {{"/adapters/of:a kind", 0.25}, {"/adapters/other", 1}};
        const int more = side == Side::Right;
        setup.model = more ? QStringLiteral("/models/b") : QStringLiteral("demo:dense");
        setup.gate = {more ? engine::GateChoice::Kind::Off : engine::GateChoice::Kind::Score, -1.25 + more};
        setup.ablations = {{{0, 3}, engine::HeadAblation::Kind::Zero},
                           {{3, 7 + more}, engine::HeadAblation::Kind::Mean},
                           {{3, 7}, engine::HeadAblation::Kind::Mean},
                           {HeadId::mlpOf(4), engine::HeadAblation::Kind::Mean},
                           {{2, 1 + more}, orThrow(parseHeadChange("[14<10]:zero[*<0]:renormalise"))}};
        setup.grid.form = control::GridChoice::Form::List;
        setup.grid.flow = control::GridChoice::Flow::LayersAcross;
        setup.grid.blocks = 3 + more;
        setup.grid.layerStep = 2 + more;
        setup.grid.firstHead = 1 + more;
        setup.grid.lastHead = 15 + more;
        setup.grid.list = {{3, 1}, {0, 0}, {2, more}};
        setup.grid.order = more ? QStringLiteral("entropy") : QStringLiteral("peak");
        setup.grid.isAscending = true;
        setup.grid.columns = 9 + more;
        setup.grid.hidden = {{1, 1}, {1, 2 + more}};
        using Kind = features::GraphNode::Kind;
        setup.graph.coders = more ? QStringLiteral("/coders/b") : QStringLiteral("/coders/a");
        setup.graph.picked = {{Kind::Feature, 1, 2, 30 + more}, {Kind::Logit, 0, 4, 5}};
        setup.graph.sources = {{Kind::Feature, 1, 2, 30 + more}};
        setup.graph.targets = {{Kind::Logit, 0, 4, 5}};
        setup.graph.groups = {{"large, “big”", {{Kind::Feature, 0, 2, 7}, {Kind::Feature, 1, 2, 30 + more}}}};
        setup.graph.scales = {{{1, 30 + more}, std::nullopt, 0}, {{2, 3}, 4, 0.5}};
        setup.graph.labels = {{{1, 30}, "large"}, {{2, 3 + more}, ""}};
        setup.generated = {7, 0, 120 + more};
        session.view.zoom[indexOf(side)] = {24.5 + more, QPointF(3.25, -1.5 + more)};
        session.traces[indexOf(side)] = {more ? "/models/b" : "/demo/dense", more ? "abc" : "def"};
    }
    document.arrangement = control::Arrangement::Stacked;
    document.tiles = control::TileValue::AfterAblation;
    document.look = {render::ColourMap::names().back(), render::Scale::Logarithmic, true, true,
                     render::LabelCorner::BottomLeft,   /*hasMlps=*/false};
    document.tool = {engine::HeadAblation::Kind::Mean, true, {CellMethod::Kind::Scale, 0.5}};
    document.blocks = {text::BlockUnit::Own, {{{0, 4}, "the “clue”"}, {7, ""}, {{8, 12}, ""}}};
    document.filter = QStringLiteral("L5H* & density<0.01");
    document.key = 0;
    document.query = 8;
    document.keyTo = 4;
    document.queryTo = 9;
    document.joinsWords = true;
    document.position = 5;
    document.target = QStringLiteral(" Mary");
    document.distractor = QStringLiteral(" John");
    document.corrupted = QStringLiteral("When Mary and John");
    document.analyses = {{analyses::SweepUnits::Layers, analyses::SweepMethod::Resample},
                         {analyses::CircuitUnits::Edges, analyses::CircuitRanking::Gradient, 0.75, true},
                         0.625,
                         {{1, 2}, {0, 3}},
                         0.25,
                         true,
                         {control::LensChoice::Colour::Rank, true, control::LensChoice::Saliency::Integrated},
                         0.375,
                         QStringLiteral("entropy")};
    document.set = {QStringLiteral("/data/prompts.csv"),
                    QStringLiteral("12 2026-01-01"),
                    QStringLiteral("{name} gave a {thing}"),
                    analyses::SetAlign::Slots,
                    3,
                    analyses::SetAverage::Deviation};
    document.badges = {control::TileBadges::Kind::Rank, service::AnalysisKind::Circuit, 7, true};
    document.edgeThreshold = 0.3125;
    document.figure = sampleFigure();
    session.view.isLinked = false;
    session.view.selection = {{0, 1}, {4, 4}};
    session.view.currentHead = HeadId{4, 4};
    session.view.activeSide = Side::Right;
    session.view.windowState = QByteArray("\0\xff state", 8);
    session.view.geometry = QByteArray("geometry");
    return session;
}

}  // namespace hs::test
