#pragma once

#include "control/document/preferences.h"
#include "control/explorer/side_runs.h"
#include "control/work/activity.h"

#include <QObject>

#include <functional>
#include <memory>
#include <optional>
#include <set>

class QUndoStack;

namespace hs::control {

class AnalysisRuns;
class FigureRuns;
class LikenessOrders;
class RunDetails;
class Worker;
struct FigureRequest;

/// What the pointer is on. Positions count from 0; side and head are set only over a head's map.
struct Hover {
    std::optional<Side> side;
    std::optional<HeadId> head;
    std::optional<int> query;
    std::optional<int> key;

    friend bool operator==(const Hover&, const Hover&) = default;
};

/// Something to tell the user in the message bar: one sentence that ends with the remedy.
struct Message {
    enum class Kind { Note, Warning, Error };
    Kind kind = Kind::Note;
    QString text;
    QString detail;
};

/// The heart of the window: the document and its history, selection and pointer. A change of the document
/// that affects a run, a figure or an analysis requests it from those who make it, on the worker thread;
/// the window never waits. Widgets read from here and listen; they do not know one another. Lives on the
/// UI thread.
class Explorer : public QObject {
    Q_OBJECT

public:
    Explorer(std::unique_ptr<Backend> backend, Preferences preferences, QObject* parent = nullptr);
    ~Explorer() override;

    const Document& document() const { return m_document; }
    QUndoStack& history() { return *m_history; }

    /// Changes the document in one undoable step; a change without effect is not a step. Consecutive steps
    /// with the same non-empty `mergeKey` are merged.
    void edit(const QString& what, const std::function<void(Document&)>& change,
              const QString& mergeKey = {});
    /// Starts over with another document: the history is emptied.
    void reset(const Document& document);

    const Preferences& preferences() const { return m_preferences; }
    /// The caller stores them; a changed device reopens the models.
    void setPreferences(const Preferences& preferences);

    const SideState& state(Side side) const { return m_runs->state(side); }
    const Activity& activity() const;
    /// Whether both sides' runs have the same tokens, so that their cells can be compared.
    bool hasSameTokens() const;
    /// Heads of a side that match Document::filter; all if it is empty or wrong.
    std::set<HeadId> matchingHeads(Side side) const;
    /// What is wrong with Document::filter; empty if nothing is.
    QString filterProblem() const;
    /// Heads in drawing order, without hidden ones.
    std::vector<HeadId> shownHeads(Side side) const { return shownHeads(side, m_document.side(side).grid); }
    /// The same for another choice.
    std::vector<HeadId> shownHeads(Side side, const GridChoice& choice) const;

    /// Heads marked in both grids, tables and lists.
    const std::set<HeadId>& selection() const { return m_selection; }
    void select(std::set<HeadId> heads);
    /// The head with the keyboard's focus, which the inspector shows, and the grid it is in.
    std::optional<HeadId> currentHead() const { return m_currentHead; }
    Side activeSide() const { return m_activeSide; }
    void setCurrent(Side side, std::optional<HeadId> head);

    const Hover& hover() const { return m_hover; }
    void setHover(const Hover& hover);

    /// One undoable step each. Ablating extends to key/value groups if the tool says so.
    void toggleAblation(Side side, const std::set<HeadId>& heads);
    void setAblated(Side side, const std::set<HeadId>& heads, bool isAblated);
    void keepOnly(Side side, const std::set<HeadId>& heads);
    void openModel(Side side, const QString& source);
    void swapSides();

    /// The maps for a query about the runs now shown. If they are not available yet, returns null, requests
    /// them from the worker and emits mapReady once they are.
    engine::LayerMap map(const MapQuery& query);
    /// The weight of the pinned cell in every head of a side's run, in the same way; emits
    /// cellWeightsReady. [layer * head], null until available or if no cell is pinned.
    std::shared_ptr<const std::vector<float>> cellWeights(Side side);

    /// Tiles of another quantity than weights for a side's run, in the same way; emits stateChanged.
    std::shared_ptr<const render::TilePyramid> tiles(Side side, engine::MapKind kind) const;

    /// The document's figure, made while somebody watches it.
    FigureRuns& figures() { return *m_figures; }
    /// Sweeps, circuits and other analyses of what the document shows.
    AnalysisRuns& analyses() { return *m_analyses; }
    const AnalysisRuns& analyses() const { return *m_analyses; }

    /// Stops the worker's current tasks; what is shown stays.
    void cancel();
    /// Runs both sides again, for instance after a cancellation.
    void rerun();

Q_SIGNALS:
    void documentChanged();
    void stateChanged(hs::control::Side side);  // model, run, staleness or problem
    void selectionChanged();
    void currentChanged();
    void hoverChanged();
    void activityChanged();
    void mapReady(const hs::control::MapQuery& query);
    void cellWeightsReady(hs::control::Side side);
    void messageRaised(const hs::control::Message& message);
    void preferencesChanged();

private:
    void connectWork();
    /// Takes over a document, wherever it comes from.
    void apply(const Document& document);
    /// The history takes no step during another: what a field hands over because a change took the
    /// keyboard focus from it follows that change.
    void editLater(const QString& what, const Document& changed);
    /// Requests what the document wants and nobody has requested yet. A new document is announced once it
    /// holds nothing that the open models cannot have.
    void synchronise(bool isNew = false);
    OpenRequest openRequest(Side side) const;
    OpenModels openModels() const;
    std::optional<FigureRequest> wantedFigure() const;
    /// The heads that ablating `heads` affects: those that exist, or all that share their keys.
    std::set<HeadId> headsMeant(Side side, const std::set<HeadId>& heads) const;
    void raise(const Error& error);

    /// Removes from the document what the open models and their runs cannot have; not a step of its own.
    /// Returns whether there was anything to remove.
    bool settle();
    std::optional<int> tokenLimit() const;
    void settleSelection();

    Document m_document;
    Preferences m_preferences;
    QUndoStack* m_history;      // owned by this object
    int m_mergeEpoch = 0;       // only steps of the same epoch are merged
    bool m_isApplying = false;  // listeners are being told about a document
    std::set<HeadId> m_selection;
    std::optional<HeadId> m_currentHead;
    Side m_activeSide = Side::Left;
    Hover m_hover;
    std::unique_ptr<Worker> m_worker;  // used by those below
    std::unique_ptr<SideRuns> m_runs;
    std::unique_ptr<RunDetails> m_details;
    LikenessOrders* m_likeness;  // owned by this object
    std::unique_ptr<FigureRuns> m_figures;
    std::unique_ptr<AnalysisRuns> m_analyses;
};

}  // namespace hs::control
