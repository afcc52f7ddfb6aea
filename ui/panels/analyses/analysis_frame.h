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

/// What every panel of an analysis has: a form that is set up in a row, Run and Stop (unless it runs
/// by itself), how far it is and what is to be said about its result, and a menu of what can be done
/// with it. What inherits fills the form and shows the result.
class AnalysisFrame : public QWidget {
    Q_OBJECT

public:
    AnalysisFrame(control::Explorer& explorer, control::AnalysisKind kind, QWidget* parent = nullptr);

    AnalysisActions& actions() { return *m_actions; }

Q_SIGNALS:
    /// The document's figure shows this result now.
    void figureRequested(hs::control::FigurePreset preset);

protected:
    control::Explorer& explorer() const { return m_explorer; }
    control::AnalysisRuns& analyses() const { return m_explorer.analyses(); }
    const control::AnalysisState& state(control::Side side) const { return analyses().state(m_kind, side); }
    /// A side's result; null while there is none.
    template <class Found>
    const Found* found(control::Side side) const
    {
        const auto& finding = state(side).finding;
        return finding ? std::get_if<Found>(finding->result.get()) : nullptr;
    }

    /// Puts a control behind those that are in the form, with its name before it.
    void addField(const QString& name, QWidget* field);
    void addControl(QWidget* control);
    /// A choice of what the document decides; `chosen` hears of the user's alone.
    QComboBox* addChoice(const char* name, const QString& label, const QStringList& texts,
                         const std::function<void(int)>& chosen);
    /// A menu of prompts to start from.
    ExampleMenu& addExamples();
    /// A row of its own below the form.
    void addRow(QWidget* row);
    /// What shows the result, and what is said while there is none.
    void setContent(QWidget* content, const QString& whileEmpty);
    /// Exported as it is shown; `title` goes into "Export …".
    void addPlot(PlotFrame& plot, const QString& title) { m_actions->addPlot(plot, title); }
    /// Numbers that belong to the result as a whole.
    void setSummary(const QString& text);
    /// Shows what there is; call it once the panel is put together.
    void refresh();

    /// The result has changed, or how it stands.
    virtual void showResult() = 0;
    /// The document has changed: forms follow it.
    virtual void showDocument() {}
    /// All heads that the result ranks, the most important first.
    virtual SideHeads rankedHeads() const;
    /// "these heads": what the result picks out, unless the panel has more to go by.
    virtual SideHeads theseHeads() const;
    /// What is exported; `side` 0 is the left one.
    virtual figures::DataTable table() const = 0;
    /// What a figure takes over as it is, as JSON of the command line; empty: it computes its own. [Side]
    virtual std::array<std::string, 2> drawnResults() const { return {}; }
    /// What is known of a result that is not complete: "96 of 144 heads".
    virtual QString partOf(const control::AnalysisResult& result) const;

    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    void compose();
    void connectParts();
    void showProgress();
    void showNote();
    QString note(control::Side side) const;
    /// Both sides' results, whole.
    std::string json() const;
    std::optional<control::AnalysisRequest> wanted(control::Side side) const;
    /// What is wrong with the set-up, known before any run.
    QString problem(control::Side side) const;

    control::Explorer& m_explorer;
    control::AnalysisKind m_kind;
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
};

}  // namespace hs::panels
