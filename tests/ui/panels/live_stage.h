#pragma once

#include "control/analyses/analysis_runs.h"
#include "ui/panels/panel_stage.h"

#include <QSignalSpy>

namespace hs::test {

/// An analysis panel on a stage, visible, and a way to wait for its results.
template <class Panel, service::AnalysisKind kind>
struct LiveStage {
    explicit LiveStage(const PanelStage::Setup& setup = {}, QSize size = {1000, 260})
        : stage(setup), panel(stage.explorer())
    {
        present(panel, size);
        settle();
    }

    control::AnalysisRuns& analyses() { return stage.explorer().analyses(); }
    /// Waits until no side's result is in progress or, while the panel is visible, outdated.
    void settle()
    {
        stage.settle();
        QSignalSpy changes(&analyses(), &control::AnalysisRuns::changed);
        const auto isDone = [this] {
            for (const Side side : kSides)
                if (const control::AnalysisState& state = analyses().state(kind, side);
                    state.isRunning || (panel.isVisible() && state.isOutdated && state.problem.isEmpty()))
                    return false;
            return true;
        };
        while (!isDone())
            if (!changes.wait(10'000))
                throw std::runtime_error("the analysis did not settle");
        QCoreApplication::processEvents();  // paints it, which lays out plots
    }
    template <class Found>
    const Found& found(Side side)
    {
        const auto& finding = analyses().state(kind, side).finding;
        if (!finding)
            throw std::runtime_error("there is no result");
        return std::get<Found>(*finding->result);
    }
    void edit(const std::function<void(control::Document&)>& change)
    {
        stage.explorer().edit(QStringLiteral("edit"), change);
        settle();
    }
    int runs() { return stage.backend().count(FakeBackend::Call::Analysis); }

    PanelStage stage;
    Panel panel;
};

}  // namespace hs::test
