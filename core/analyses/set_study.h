#pragma once

#include "analyses/set_result.h"
#include "base/hooks.h"
#include "engine/run/engine.h"

#include <map>
#include <string>
#include <vector>

namespace hs::analyses {

/// One model of a study, and how its tokens read; neither is owned.
struct StudiedModel {
    engine::Engine* engine = nullptr;
    HeadShape heads;
    TokenText tokenText;
};

/// One prompt of a set as each model is asked about it.
struct StudiedPrompt {
    int index = 0;
    std::vector<engine::RunRequest> requests;  // [model]
    std::vector<text::TemplateCell> cells;     // where maps are aligned by slots
};

enum class SetStudyKind {
    Metrics,       // metrics of every head
    WrittenUnits,  // the same, and what heads and MLPs write
    Maps,          // attention of every head
    Averages,      // metrics and attention
    Comparison,    // what tells the heads of two models apart
};

/// Runs the prompts of a set and sums what it finds. Prompts of one length go through the model together where they can,
/// so a prompt counts once it was run: after `add` or, the last ones, after `finish`. What fails on the way
/// leaves a result of the prompts so far. For one thread.
class SetStudy {
public:
    /// `result` has what the parts of the set share; a part that was stopped goes on if it is that part's. `mapBudget`:
    /// most bytes of sums of maps.
    SetStudy(SetStudyKind kind, std::vector<StudiedModel> models, SetResult result, SetAlign align,
             std::uint64_t mapBudget);

    /// Throws Failure, also when cancelled.
    void add(StudiedPrompt prompt, const Hooks& hooks);
    void leaveOut(int index, std::string problem);
    void finish(const Hooks& hooks);

    /// Prompts that were run or left out.
    int done() const;
    const SetResult& result() const { return m_result; }
    SetResult take();

private:
    bool isOne() const;
    int mostTogether(const StudiedPrompt& prompt) const;
    /// Whether the maps of such prompts are added up where they are made.
    bool addsUpMaps(engine::RunRequest request) const;
    void runAlone(const StudiedPrompt& prompt, const Hooks& hooks);
    void runTogether(const std::vector<StudiedPrompt>& prompts, const Hooks& hooks);
    /// Adds a prompt's results, [model].
    void record(const StudiedPrompt& prompt, const std::vector<engine::RunResult>& results,
                const Hooks& hooks);

    SetStudyKind m_kind;
    std::vector<StudiedModel> m_models;
    SetResult m_result;
    std::map<std::vector<std::size_t>, std::vector<StudiedPrompt>> m_waiting;  // by lengths
    stats::MapTotals m_totals;  // of the last prompts that ran together; kept for its memory
};

}  // namespace hs::analyses
