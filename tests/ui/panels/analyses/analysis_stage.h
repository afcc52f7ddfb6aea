#pragma once

#include "control/analyses/analysis_runs.h"
#include "ui/panels/panel_stage.h"

#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QUndoStack>

namespace hs::test {

/// An analysis panel on its stage: both models have run a prompt, nothing is analysed yet.
template <class Panel>
struct AnalysisScene {
    explicit AnalysisScene(service::AnalysisKind analysis, const PanelStage::Setup& setup = {})
        : kind(analysis), stage(setup), panel(stage.explorer())
    {
        present(panel, {1000, 260});
    }

    control::Explorer& explorer() { return stage.explorer(); }
    control::AnalysisRuns& analyses() { return explorer().analyses(); }
    const control::Document& document() { return explorer().document(); }
    QPushButton& button() { return child<QPushButton>(panel, "analysisRun"); }
    QString note() const { return shownText("analysisNote"); }
    QString summary() const { return shownText("analysisSummary"); }

    /// Presses Run and waits until it is done.
    void run()
    {
        QTest::mouseClick(&button(), Qt::LeftButton);
        waitUntilDone();
    }
    void waitUntilDone()
    {
        QSignalSpy changes(&analyses(), &control::AnalysisRuns::changed);
        while (analyses().isRunning(kind))
            if (!changes.wait(kPatience))
                throw std::runtime_error("the analysis did not end");
    }
    /// Waits for an incomplete result.
    void waitForPart(Side side)
    {
        QSignalSpy changes(&analyses(), &control::AnalysisRuns::changed);
        while (!analyses().state(kind, side).finding)
            if (!changes.wait(kPatience))
                throw std::runtime_error("no part of the analysis came");
    }
    bool choose(const QString& text)
    {
        panel.actions().fill();
        return hs::test::choose(panel.actions(), text);
    }
    int steps() { return explorer().history().index(); }

    service::AnalysisKind kind;
    PanelStage stage;
    Panel panel;

private:
    static constexpr int kPatience = 10'000;  // milliseconds; only a broken test waits so long

    QString shownText(const char* name) const
    {
        const auto& label = child<QLabel>(panel, name);
        return label.isHidden() ? QString() : label.text();
    }
};

}  // namespace hs::test
