#pragma once

#include "base/json_reader.h"
#include "stats/head_kind.h"
#include "stats/metric_table.h"
#include "stats/value_sums.h"

#include <array>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace hs::stats {

/// The tokens that a corpus has, numbered as they come, and how often each does.
class CorpusTokens {
public:
    /// The numbers of a row's tokens, which are counted.
    std::vector<std::size_t> add(std::span<const std::int64_t> row);

    std::size_t size() const { return m_tokens.size(); }
    std::int64_t token(std::size_t number) const { return m_tokens[number]; }
    std::int64_t count(std::size_t number) const { return m_counts[number]; }

    Json toJson() const;
    static CorpusTokens from(const JsonReader& reader);  // what toJson wrote; throws Failure

private:
    std::vector<std::int64_t> m_tokens;  // [number]
    std::vector<std::int64_t> m_counts;
    std::unordered_map<std::int64_t, std::size_t> m_numbers;
};

/// One row of a corpus, the same for all heads.
struct CorpusRow {
    int number = 0;
    std::span<const std::int64_t> tokens;  // at least two
    std::span<const std::size_t> numbers;  // [position] as CorpusTokens gives them
    const RepeatedTokens& repeats;
    int tileSide = 0;
};

/// Where the weight of a head's queries goes. The first query of a row, which sees only itself, is left out, and each cell
/// counts once, in the first part that it fits. Parts of a query's weight add up to 1.
struct AttentionShares {
    double first = 0;      // the row's first token
    double current = 0;    // the query itself
    double previous = 0;   // the token before
    double afterCopy = 0;  // what came after an earlier copy of the query
    double elsewhere = 0;
    double nowhere = 0;  // what a gate closed
};

/// A row in which a head attends much to one token.
struct HeadExample {
    struct Cell {
        int query = 0;
        int key = 0;
        float weight = 0;
    };
    int row = 0;
    Cell most;                         // the largest, the row's first query and key left out
    std::vector<std::int64_t> tokens;  // of the row
    std::vector<Cell> cells;           // the largest of each query, by query and key
};

/// A token of a row that a head's ablation makes harder or easier to predict.
struct TokenChange {
    int row = 0;
    int position = 0;
    double loss = 0;                    // of the token before the ablation, in nats
    double change = 0;                  // by it
    std::vector<std::int64_t> context;  // the token and some before it
};

/// What one head does over a corpus, row by row in their order. Memory does not grow with the corpus beyond a number for
/// each token that it has.
class HeadTally {
public:
    static constexpr std::array<int, 14> kDistances = {0,  1,   2,   4,   8,    16,   32,
                                                       64, 128, 256, 512, 1024, 2048, 4096};
    static constexpr std::size_t kLevels = 50;  // of a row's largest weight, 0 to 1
    static constexpr std::size_t kKinds = enumWords(HeadKind{}).size();

    /// Keeps so many examples and so many tokens of each sort.
    explicit HeadTally(int examples)
        : m_kept(static_cast<std::size_t>(examples)), m_metrics(allMetrics().size())
    {
    }

    void add(const CorpusRow& row, const float* map, const HeadStats& stats,  // [query, key]
             const std::uint8_t* tile);                                       // [row, column]
    /// The losses of the row's tokens but the first, as they are and without the head.
    void addAblation(const CorpusRow& row, std::span<const double> losses, std::span<const double> ablated);

    /// Positions, pairs of neighbours, and queries whose token came before in their row.
    struct Counts {
        std::int64_t positions = 0;
        std::int64_t rows = 0;
        std::int64_t repeated = 0;
    };
    /// The measures of HeadVis: means over all positions, whatever their rows.
    struct Scores {
        double self = 0;              // weight on the diagonal
        double previous = 0;          // weight one before it
        double entropy = 0;           // of a row, in nats
        double distance = 0;          // between query and key, by weight
        double distanceVariance = 0;  // second moment of distances minus the mean's square
        double induction = 0;  // weight after all earlier copies of a query that has some, above 0.01 each
    };

    const Counts& counts() const { return m_counts; }
    Scores scores() const;
    AttentionShares shares() const;
    /// By metric, as allMetrics has them: each row of the corpus is a value.
    const std::vector<ValueSums>& metrics() const { return m_metrics; }
    /// Rows by what the head does in them.
    const std::array<std::int64_t, kKinds>& kinds() const { return m_kinds; }
    /// Weight by distance, between neighbours of kDistances.
    std::span<const double> byDistance() const { return m_byDistance; }
    std::span<const std::int64_t> byLevel() const { return m_byLevel; }
    double meanLargest() const;
    /// Weight that a token gets as a key and gives as a query; rows' first keys are left out. [number]
    const std::vector<double>& asKey() const { return m_asKey; }
    const std::vector<double>& asQuery() const { return m_asQuery; }
    /// Largest weight first; each of another row, query and key.
    const std::vector<HeadExample>& examples() const { return m_examples; }
    /// Change of loss by ablation, over tokens.
    const ValueSums& ablation() const { return m_ablation; }
    const std::vector<TokenChange>& harmed() const { return m_harmed; }  // most first
    const std::vector<TokenChange>& helped() const { return m_helped; }

    Json toJson() const;
    static HeadTally from(const JsonReader& reader, int examples);  // what toJson wrote; throws Failure

private:
    void addExample(const CorpusRow& row, const float* map, const HeadExample::Cell& most);

    std::size_t m_kept;
    Counts m_counts;
    std::array<double, 6> m_sums{};    // self, previous, entropy, distance, its square, induction
    std::array<double, 6> m_shares{};  // in the order of AttentionShares
    std::vector<ValueSums> m_metrics;
    std::array<std::int64_t, kKinds> m_kinds{};
    std::array<double, kDistances.size() - 1> m_byDistance{};
    std::array<std::int64_t, kLevels> m_byLevel{};
    double m_largest = 0;
    std::vector<double> m_asKey;
    std::vector<double> m_asQuery;
    std::vector<HeadExample> m_examples;
    ValueSums m_ablation;
    std::vector<TokenChange> m_harmed;
    std::vector<TokenChange> m_helped;
};

}  // namespace hs::stats
