#pragma once

#include "composer/figure_composer.h"
#include "composer/figure_export.h"
#include "composer/figure_preview.h"
#include "control/figures/figure_runs.h"
#include "control/work/late_work.h"
#include "ui/explorer_under_test.h"

#include <QTabBar>
#include <QTemporaryDir>
#include <QTest>
#include <QUndoStack>

#include <memory>

namespace hs::test {

/// A composer on two made-up models that have run, shown and with its first figure made.
class ComposerUnderTest {
public:
    ComposerUnderTest()
    {
        tested.start();
        composer = std::make_unique<composer::FigureComposer>(*tested.explorer);
        composer->show();
    }

    control::Explorer& explorer() const { return *tested.explorer; }
    control::FigureRuns& figures() const { return tested.explorer->figures(); }
    const control::FigureSpec& spec() const { return tested.explorer->document().figure; }
    QUndoStack& history() const { return tested.explorer->history(); }

    /// Waits until the figure matches the settings and is drawn.
    bool settles() const
    {
        const bool isMade = QTest::qWaitFor([this] {
            return !figures().isStale() && !explorer().activity().isBusy &&
                   control::LateWork::isDoneIn(*composer);
        });
        QCoreApplication::processEvents();
        return isMade;
    }

    void choose(control::FigurePreset preset) const
    {
        tested.explorer->edit(QStringLiteral("preset"), [&](control::Document& document) {
            document.figure = control::FigureSpec::of(preset);
        });
    }

    void showSide(Side side) const
    {
        child<QTabBar>("sides")->setCurrentIndex(static_cast<int>(indexOf(side)));
    }

    /// The control of that name; the left side's if both have one.
    template <class Control>
    Control* child(const char* name) const
    {
        return composer->findChild<Control*>(QString::fromLatin1(name));
    }
    template <class Control>
    Control* child(Side side, const char* name) const
    {
        const char* const form = side == Side::Left ? "leftForm" : "rightForm";
        return child<QWidget>(form)->findChild<Control*>(QString::fromLatin1(name));
    }

    std::filesystem::path file(const char* name) const
    {
        return m_folder.filePath(QString::fromLatin1(name)).toStdString();
    }

    ExplorerUnderTest tested;
    std::unique_ptr<composer::FigureComposer> composer;

private:
    QTemporaryDir m_folder;
};

inline constexpr std::array kAllPresets = {
    control::FigurePreset::HeadGrid, control::FigurePreset::RankedHeads,
    control::FigurePreset::Summary,  control::FigurePreset::ScatterMatrix,
    control::FigurePreset::KeyQuery, control::FigurePreset::Attribution,
    control::FigurePreset::Flow,     control::FigurePreset::ExplainedEffect,
    control::FigurePreset::Head,     control::FigurePreset::Graph,
};

}  // namespace hs::test
