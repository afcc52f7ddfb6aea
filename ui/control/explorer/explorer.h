#pragma once

#include "control/document/document_requests.h"
#include "control/document/preferences.h"
#include "control/document/shown_heads.h"
#include "control/explorer/kept_run.h"
#include "control/explorer/run_pair.h"
#include "control/explorer/side_runs.h"
#include "control/work/activity.h"
#include "text/token_match.h"

#include <QObject>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <set>

class QUndoStack;

namespace hs::control {

class AnalysisRuns;
class DeviceChecks;
class FigureRuns;
class GenerationRuns;
class LabelKeeper;
class LikenessOrders;
class RunDetails;
class Worker;
struct FigureRequest;

/// What the pointer is on. Positions count the side's tokens from 0; head is set only over a head's map.
struct Hover {
    Side side = Side::Left;
    std::optional<HeadId> head;
    std::optional<int> query;
    std::optional<int> key;

    friend bool operator==(const Hover&, const Hover&) = default;
};

/// A row, a column or both, in the tokens of one side: a position of the other side may cover several.
struct CellSpan {
    std::optional<text::TokenSpan> query;
    std::optional<text::TokenSpan> key;

    friend bool operator==(const CellSpan&, const CellSpan&) = default;
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
    Explorer(std::unique_ptr<service::Backend> backend, Preferences preferences, QObject* parent = nullptr);
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

    /// Whose tokens stand for the prompt: the token strip shows them and the document's positions count
    /// them. The left side's, or the right one's if it is the only one shown or the only one that ran.
    Side tokenSide() const { return tokenSide(m_document); }
    /// The positions of a side that cover the same characters as a position of another along an axis; none if no
    /// token there does, or if the sides show different texts there.
    std::optional<text::TokenSpan> matching(Side from, Axis axis, int position, Side to) const;
    /// Whether the sides show different texts, whose tokens are held against each other as far as they can be.
    bool hasTwoTexts() const { return m_places[0] != nullptr; }
    /// Whether a token of a side's text is another one in the other side's, or is not there.
    bool isChanged(Side side, Axis axis, int position) const;
    /// Of two texts, where the tokens of a side are in the other one; null if both show the same.
    std::shared_ptr<const render::TokenPlaces> placesOfOther(Side side) const
    {
        return m_places[indexOf(side)];
    }
    /// The pinned and the hovered positions in the tokens of a side; whole words if they are joined.
    CellSpan pinned(Side side) const;
    CellSpan hovered(Side side) const;
    /// Where a side's predictions are read, in the tokens of its text; none: at the last one.
    std::optional<int> readPosition(Side side) const;
    /// A token of a side's text as the document counts the one at which predictions are read; none if it has no
    /// counterpart.
    std::optional<int> asReadPosition(Side side, std::optional<int> token) const;
    /// The row and column of a side's maps that a token of its text is in, and the last token of one.
    int placeOf(Side side, int token) const;
    int tokenOf(Side side, int place) const;
    /// A position of a side's maps along an axis as the document counts it; none if it has no counterpart.
    std::optional<int> asPin(Side side, Axis axis, std::optional<int> position) const;
    /// The head of `to` in the place of a head of `from`: the same one in models of the same shape, otherwise
    /// by relative depth. None if `to` has no model.
    std::optional<HeadId> counterpart(Side from, HeadId head, Side to) const;
    /// Whether both sides have heads of the same names; also while one of them has none.
    bool hasSameHeads() const;
    /// Whether both sides' runs have the same tokens along both axes.
    bool hasSameTokens() const;
    /// Whether cells can be subtracted: those of the same tokens, or those of two texts that stand for each other.
    bool canSubtractCells() const { return hasTwoTexts() || hasSameTokens(); }
    /// Why a side's heads cannot be ablated, gated or run on another prompt; empty if they can, or if it has no
    /// model. See service/engine_need.h.
    QString whyNoRun(Side side) const;
    /// Why neither side can do it; empty if one can, or there is no model.
    QString whyNoRun() const;
    QString whyNotPossible(service::AnalysisKind kind) const;
    QString whyNotPossible(engine::MapKind kind) const;
    /// What tiles subtract on a side whose runs they compare in one of the ways of TileValue.
    RunPair compared(Side side, TileValue value) const;
    /// Why neither of the sides shown has anything to subtract; empty if one has.
    QString differenceProblem(TileValue value) const;

    /// Keeps what both sides show now, for comparison with later runs of the same models, or forgets it. Not a
    /// step: the history goes on.
    void keepRuns();
    void forgetKeptRuns() { setKept({}); }
    /// Null if none is kept for the side's model.
    std::shared_ptr<const KeptRun> keptRun(Side side) const { return m_kept[indexOf(side)]; }

    /// Heads of a side that match Document::filter; all if it is empty or wrong.
    std::set<HeadId> matchingHeads(Side side) const;
    /// What is wrong with Document::filter; empty if nothing is.
    QString filterProblem() const;
    /// Heads in drawing order, without hidden ones.
    std::vector<HeadId> shownHeads(Side side) const { return shownHeads(side, m_document.side(side).grid); }
    /// The same for another choice.
    std::vector<HeadId> shownHeads(Side side, const GridChoice& choice) const;
    /// The heads of both sides, and how the grids have laid them out.
    ShownGrids shownGrids() const;
    void setLayout(const std::array<render::TileFlow, 2>& flows, bool isStacked);

    /// Heads marked in tables and lists.
    const std::set<HeadId>& selection() const { return m_selection; }
    /// The selected heads of a side: all of them, but of models with different heads only on the side that was
    /// active when they were selected.
    std::set<HeadId> selection(Side side) const;
    void select(std::set<HeadId> heads);
    /// The head with the keyboard's focus, which the inspector shows, and the grid it is in.
    std::optional<HeadId> currentHead() const { return m_currentHead; }
    Side activeSide() const { return m_activeSide; }
    void setCurrent(Side side, std::optional<HeadId> head);

    const Hover& hover() const { return m_hover; }
    void setHover(const Hover& hover);

    /// How strongly something that is looked at is there at the prompt's tokens, such as a feature; empty: nothing is
    /// looked at. [position]
    const std::vector<double>& tokenShades() const { return m_tokenShades; }
    void setTokenShades(std::vector<double> shades);

    /// One undoable step each. Ablating extends to key/value groups if the tool says so.
    void toggleAblation(Side side, const std::set<HeadId>& heads);
    void setAblated(Side side, const std::set<HeadId>& heads, bool isAblated);
    /// Does to a block of the cells of a head's map what the tool says, or takes it back where that is all that is done to
    /// them.
    void toggleCells(Side side, HeadId head, const CellBlock& places);
    void keepOnly(Side side, const std::set<HeadId>& heads);
    void openModel(Side side, const QString& source);
    /// Adds a LoRA adapter to the model of a side, at full strength.
    void addAdapter(Side side, const QString& folder);
    void swapSides();
    /// Shows the active side, as it is now, on the other one, to be held against what comes next.
    void keepAsOtherSide();

    /// The maps for a query about the runs now shown. If they are not available yet, returns null, requests
    /// them from the worker and emits mapReady once they are.
    engine::LayerMap map(const service::MapQuery& query);
    /// The weight of the pinned cell in every head of a side's run, the largest of those that cover it, or their sum
    /// over keys and mean over queries where several tokens are meant; in
    /// the same way, emits cellWeightsReady. [layer * head], null until available or if no cell is pinned.
    std::shared_ptr<const std::vector<float>> cellWeights(Side side);

    /// Tiles of a side's run, those of another quantity than weights in the same way; emits stateChanged. If
    /// they cannot be read, the document shows weights again.
    std::shared_ptr<const render::TilePyramid> tiles(Side side, engine::MapKind kind) const;

    /// The document's figure, made while somebody watches it.
    FigureRuns& figures() { return *m_figures; }
    /// Sweeps, circuits and other analyses of what the document shows.
    AnalysisRuns& analyses() { return *m_analyses; }
    const AnalysisRuns& analyses() const { return *m_analyses; }

    /// Lets the models of both sides write on behind the prompt, as the document says. What they wrote is then part of it, in
    /// one step; so is what there is when they are stopped.
    void generate();
    void stopGenerating();
    const GenerationRuns& generation() const { return *m_generation; }

    /// How long typing should rest before its text is run: the longer, the longer runs take.
    std::chrono::milliseconds typingPause() const;
    /// Stops the worker's current tasks; what is shown stays.
    void cancel();
    /// Runs both sides again, for instance after a cancellation.
    void rerun();

Q_SIGNALS:
    void documentChanged();
    void stateChanged(Side side);  // model, run, staleness or problem
    void partChanged(Side side);   // more layers of the run under way are done
    void selectionChanged();
    void currentChanged();
    void hoverChanged();
    void tokenShadesChanged();
    void activityChanged();
    void mapReady(const hs::service::MapQuery& query);
    void cellWeightsReady(Side side);
    void messageRaised(const hs::control::Message& message);
    void preferencesChanged();
    void generationChanged();  // a token more, or it has ended

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
    Document countedBy(Side side) const;
    service::OpenRequest openRequest(Side side) const;
    OpenModels openModels() const;
    void matchTexts(const SideRun& left, const SideRun& right);
    /// The cells of tokens that cells of a side's maps stand for.
    CellBlock tokensAt(Side side, CellBlock places) const;
    std::optional<text::TokenSpan> meant(Side from, Axis axis, text::TokenSpan tokens, Side to) const;
    std::optional<FigureRequest> wantedFigure() const;
    /// Of the sides that can write on. [Side]
    std::array<std::optional<service::SideRequest>, 2> generationRequests() const;
    void takeGenerated();
    std::optional<service::AnalysisRequest> wantedAnalysis(service::AnalysisKind kind, Side side) const;
    /// The heads that ablating `heads` affects: those that exist, or all that share their keys.
    std::set<HeadId> headsMeant(Side side, const std::set<HeadId>& heads) const;
    void raise(const Error& error);

    /// Removes from the document what the open models and their runs cannot have; not a step of its own.
    /// Returns whether there was anything to remove.
    bool settle();
    bool settleKept();
    void setKept(std::array<std::shared_ptr<const KeptRun>, 2> kept);
    struct TokenLimits {
        int queries = 0;
        int keys = 0;
        int tokens = 0;  // of the text
    };
    std::optional<TokenLimits> tokenLimits() const;
    Side tokenSide(const Document& document) const;
    void matchTokens();
    /// Rewrites the document's positions, which count the tokens of `from`, in those of `to`.
    void recount(Document& document, Side from, Side to) const;
    void settleSelection();

    Document m_document;
    Preferences m_preferences;
    QUndoStack* m_history;      // owned by this object
    int m_mergeEpoch = 0;       // only steps of the same epoch are merged
    bool m_isApplying = false;  // listeners are being told about a document
    std::set<HeadId> m_selection;
    Side m_selectionSide = Side::Left;
    std::optional<HeadId> m_currentHead;
    Side m_activeSide = Side::Left;
    Hover m_hover;
    std::vector<double> m_tokenShades;
    std::array<render::TileFlow, 2> m_flows;                   // [Side], as the grids are laid out now
    bool m_isStacked = false;                                  // likewise
    std::array<std::shared_ptr<const KeptRun>, 2> m_kept;      // [Side]
    SideRuns::Runs m_matched;                                  // the runs that m_matches are for
    std::array<std::array<text::TokenMatch, 2>, 2> m_matches;  // [Side][Axis], to the other side
    std::array<text::TokenMatch, 2> m_textMatches;             // [Side], of the texts' tokens, likewise
    std::array<std::shared_ptr<const render::TokenPlaces>, 2> m_places;  // [Side], see placesOfOther
    std::unique_ptr<Worker> m_worker;                                    // used by those below
    std::unique_ptr<SideRuns> m_runs;
    std::unique_ptr<RunDetails> m_details;
    LikenessOrders* m_likeness;  // owned by this object
    std::unique_ptr<FigureRuns> m_figures;
    std::unique_ptr<AnalysisRuns> m_analyses;
    std::unique_ptr<LabelKeeper> m_labels;
    std::unique_ptr<DeviceChecks> m_devices;
    std::unique_ptr<GenerationRuns> m_generation;
};

}  // namespace hs::control
