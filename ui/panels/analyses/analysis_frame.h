#pragma once

#include "control/analyses/analysis_runs.h"
#include "control/explorer/explorer.h"
#include "panels/analyses/analysis_actions.h"

#include <QWidget>

class QBoxLayout;
class QComboBox;
class QLabel;
class QProgressBar;
class QPushButton;

namespace hs::panels {

class ExampleMenu;
class FlowLayout;
class PlotFrame;

/// What every analysis panel has: a form in a row, Run and Stop (unless it runs by itself), progress and
/// notes about the result, and a menu of what can be done with it. Subclasses fill the form and show the
/// result.
class AnalysisFrame : public QWidget {
    Q_OBJECT

public:
    AnalysisFrame(control::Explorer& explorer, service::AnalysisKind kind, QWidget* parent = nullptr);

    AnalysisActions& actions() { return *m_actions; }

Q_SIGNALS:
    /// The document's figure now shows this result.
    void figureRequested(hs::control::FigurePreset preset);

protected:
    control::Explorer& explorer() const { return m_explorer; }
    control::AnalysisRuns& analyses() const { return m_explorer.analyses(); }
    const control::AnalysisState& state(Side side) const { return analyses().state(m_kind, side); }
    /// A side's result; null while there is none.
    template <class Found>
    const Found* found(Side side) const
    {
        const auto& finding = state(side).finding;
        return finding ? std::get_if<Found>(finding->result.get()) : nullptr;
    }

    /// Appends a control to the form, with its name before it.
    void addField(const QString& name, QWidget* field);
    void addControl(QWidget* control);
    /// A choice stored in the document; `chosen` is called only for the user's choices.
    QComboBox* addChoice(const char* name, const QString& label, const QStringList& texts,
                         const std::function<void(int)>& chosen);
    /// A menu of example prompts.
    ExampleMenu& addExamples();
    /// A separate row below the form.
    void addRow(QWidget* row);
    /// The widget that shows the result, and the text shown while there is none.
    void setContent(QWidget* content, const QString& whileEmpty);
    /// Offers the plot for export as shown; `title` goes into "Export …".
    void addPlot(PlotFrame& plot, const QString& title) { m_actions->addPlot(plot, title); }
    /// Numbers about the result as a whole.
    void setSummary(const QString& text);
    /// Shows the current state; call it once the panel is composed.
    void refresh();

    /// The result or its state has changed.
    virtual void showResult() = 0;
    /// The document has changed: update the form.
    virtual void showDocument() {}
    /// All heads that the result ranks, most important first.
    virtual SideHeads rankedHeads() const;
    /// "these heads": those the result picks out, unless the panel knows better.
    virtual SideHeads theseHeads() const;
    /// The data to export; `side` 0 is the left one.
    virtual figures::DataTable table() const = 0;
    /// What a figure draws as it is, as the command line's JSON; empty: the figure computes its own. [Side]
    virtual std::array<std::string, 2> drawnResults() const { return {}; }
    /// Whether there is something to show; a result, unless the panel knows better.
    virtual bool hasContent() const;
    /// How much of an incomplete result is known: "96 of 144 heads".
    virtual QString partOf(const service::AnalysisResult& result) const;

    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void compose();
    void connectParts();
    void showProgress();
    void showNote();
    QString note(Side side) const;
    /// Both sides' results in full.
    std::string json() const;
    std::optional<service::AnalysisRequest> wanted(Side side) const;
    /// What is wrong with the set-up, as far as is known before a run.
    QString problem(Side side) const;

    control::Explorer& m_explorer;
    service::AnalysisKind m_kind;
    AnalysisActions* m_actions;
    QBoxLayout* m_column = nullptr;
    FlowLayout* m_form = nullptr;
    int m_rows = 0;  // below the form
    QPushButton* m_run = nullptr;
    QPushButton* m_menu = nullptr;
    QProgressBar* m_progress = nullptr;
    QLabel* m_summary;
    QLabel* m_note;
    QLabel* m_empty;
    QWidget* m_content = nullptr;
    QString m_whileEmpty;
};

}  // namespace hs::panels
