#pragma once

#include "base/hooks.h"
#include "base/json_reader.h"
#include "engine/run/engine.h"
#include "stats/head_tally.h"

#include <optional>
#include <vector>

namespace hs::analyses {

/// What pages of heads are made of: rows of tokens that a model reads one after another.
struct HeadPagesRequest {
    engine::RunRequest run;     // each row's, but for its tokens
    std::vector<HeadId> heads;  // whose pages, ascending
    int examples = 8;           // and tokens of each sort, a head
    int rows = 0;               // in the corpus, about
    int ablationRows = 0;       // of them, spread evenly, in which each head is switched off
    bool weights = true;        // what heads write and look for; goes through the vocabulary for every layer
};

/// A token, and those that a head's weights connect it with.
struct ConnectedTokens {
    std::int64_t token = 0;
    engine::PromotedTokens tokens;
};

/// What is known of one head.
struct HeadPage {
    HeadId head;
    stats::HeadTally tally;
    std::optional<stats::HeadKind> kind;
    /// Over random tokens that come twice, which show induction better than a running text; none where the model reads too
    /// few tokens.
    std::optional<stats::HeadStats> repeats;
    double copying = 0;                   // see copyingScores; NaN where weights were not asked for
    std::vector<ConnectedTokens> writes;  // what it promotes when it reads the keys that get most
    std::vector<ConnectedTokens> reads;   // what it looks for with the queries that look most
};

/// The pages of a model's heads over a corpus.
struct HeadPages {
    HeadShape shape;
    stats::CorpusTokens tokens;
    int rows = 0;
    int ablationRows = 0;
    int longest = 0;  // row
    std::vector<HeadPage> pages;
};

/// Reads a corpus row by row. Rows of one length go through the model together where they can, with the same results as
/// alone; sums are taken in the order of rows, so stopping and going on gives the same bits. For one thread.
class HeadPagesStudy {
public:
    explicit HeadPagesStudy(HeadPagesRequest request);

    /// The next row, of at least two tokens; it counts once it was run. Throws Failure, also when cancelled.
    void add(int number, std::vector<std::int64_t> tokens, const Hooks& hooks);
    /// Runs what waits.
    void finishRows(const Hooks& hooks);
    /// Rows that count.
    int done() const { return m_done; }

    /// What those rows, random repeated tokens and the weights say. Throws Failure.
    HeadPages pages(const Hooks& hooks);

    Json toJson() const;                     // of the rows that count
    void goOnFrom(const JsonReader& state);  // what toJson wrote of the same request; throws Failure

private:
    struct WaitingRow {
        int number = 0;
        std::vector<std::int64_t> tokens;
    };
    std::vector<engine::RunResult> run(const std::vector<engine::RunRequest>& requests, const Hooks& hooks);
    engine::RunRequest requestFor(const std::vector<std::int64_t>& tokens) const;
    void record(const std::vector<WaitingRow>& rows, const std::vector<engine::RunResult>& results,
                const Hooks& hooks);
    engine::VariantResult withoutEachHead(const std::vector<std::int64_t>& tokens, const Hooks& hooks);
    bool isAblated(int ordinal) const;
    void addRepeats(std::vector<HeadPage>& pages, const Hooks& hooks);
    void addWeights(std::vector<HeadPage>& pages, const Hooks& hooks) const;

    HeadPagesRequest m_request;
    engine::Engine m_engine;
    std::vector<WaitingRow> m_waiting;  // of one length
    stats::CorpusTokens m_tokens;
    std::vector<stats::HeadTally> m_tallies;  // [head of the request]
    int m_done = 0;
    int m_ablated = 0;
    int m_longest = 0;
    std::optional<std::int64_t> m_first;  // the token that all rows begin with
};

/// What a head does in a sentence's words: by random repeated tokens if it is induction, else by most rows.
std::optional<stats::HeadKind> kindOver(const stats::HeadTally& tally, bool isInductionOnRepeats);

}  // namespace hs::analyses
