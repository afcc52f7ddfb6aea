#include "analyses/head_pages.h"

#include "analyses/head_circuit.h"
#include "base/draws.h"
#include "base/failure.h"
#include "base/parallel.h"
#include "engine/load/model.h"
#include "engine/run/prompt_batch.h"

#include <algorithm>
#include <numeric>

namespace hs::analyses {
namespace {

constexpr int kRepeatedRows = 4;
constexpr int kRepeatedTokens = 48;    // that come twice
constexpr int kLeastRepeated = 4;      // fewer show nothing
constexpr std::uint64_t kSeed = 26;    // of the random tokens
constexpr std::size_t kConnected = 3;  // tokens a head of which connections are listed
constexpr int kListed = 6;             // connections of each

/// The numbers of the tokens with the largest sums.
std::vector<std::size_t> largestOf(const std::vector<double>& sums, std::size_t count)
{
    std::vector<std::size_t> numbers(sums.size());
    std::iota(numbers.begin(), numbers.end(), std::size_t{0});
    count = std::min(count, numbers.size());
    std::ranges::partial_sort(
        numbers, numbers.begin() + static_cast<std::ptrdiff_t>(count),
        [&](std::size_t a, std::size_t b) { return std::pair(-sums[a], a) < std::pair(-sums[b], b); });
    numbers.resize(count);
    return numbers;
}

/// Random tokens of a corpus, each once, and all of them again. [position]
std::vector<std::int64_t> repeatedTokens(const stats::CorpusTokens& corpus, std::optional<std::int64_t> first,
                                         int count, int row)
{
    Draws draws({kSeed, static_cast<std::uint64_t>(row)});
    std::vector<std::size_t> numbers(corpus.size());
    std::iota(numbers.begin(), numbers.end(), std::size_t{0});
    std::vector<std::int64_t> tokens;
    for (std::size_t at = 0; at < numbers.size() && std::ssize(tokens) < count; ++at) {
        std::swap(numbers[at], numbers[at + static_cast<std::size_t>(draws.below(
                                                static_cast<std::int64_t>(numbers.size() - at)))]);
        if (const std::int64_t token = corpus.token(numbers[at]); token != first)
            tokens.push_back(token);
    }
    tokens.insert(tokens.end(), tokens.begin(), tokens.end());
    if (first)
        tokens.insert(tokens.begin(), *first);
    return tokens;
}

}  // namespace

std::optional<stats::HeadKind> kindOver(const stats::HeadTally& tally, bool isInductionOnRepeats)
{
    if (isInductionOnRepeats)
        return stats::HeadKind::Induction;
    const auto most = std::ranges::max_element(tally.kinds());
    if (*most == 0)
        return std::nullopt;
    return static_cast<stats::HeadKind>(most - tally.kinds().begin());
}

HeadPagesStudy::HeadPagesStudy(HeadPagesRequest request)
    : m_request(std::move(request)), m_tallies(m_request.heads.size(), stats::HeadTally(m_request.examples))
{
    m_request.run.capture.fullMaps = true;
    m_request.run.capture.loss = false;
    m_request.run.capture.topK = 0;
}

engine::RunRequest HeadPagesStudy::requestFor(const std::vector<std::int64_t>& tokens) const
{
    engine::RunRequest request = m_request.run;
    request.tokens = tokens;
    return request;
}

void HeadPagesStudy::add(int number, std::vector<std::int64_t> tokens, const Hooks& hooks)
{
    hooks.throwIfCancelled();
    if (tokens.size() < 2)
        fail(ErrorCode::BadRequest, "A row of a corpus needs two tokens at least; give longer ones.");
    const auto isFull = [&](const std::vector<std::int64_t>& row) {
        return row.size() != tokens.size() ||
               std::ssize(m_waiting) >= engine::promptsTogether(requestFor(row));
    };
    if (!m_waiting.empty() && isFull(m_waiting.front().tokens))
        finishRows(hooks);
    m_waiting.push_back({number, std::move(tokens)});
}

std::vector<engine::RunResult> HeadPagesStudy::run(const std::vector<engine::RunRequest>& requests,
                                                   const Hooks& hooks)
{
    const auto together = static_cast<std::size_t>(engine::promptsTogether(requests.front()));
    std::vector<engine::RunResult> results;
    for (std::size_t first = 0; first < requests.size(); first += together) {
        if (together == 1) {
            results.push_back(orThrow(m_engine.run(requests[first], {{}, hooks.stop})));
            continue;
        }
        std::ranges::move(orThrow(engine::runTogether(
                              std::span(requests).subspan(first, std::min(together, requests.size() - first)),
                              {{}, hooks.stop})),
                          std::back_inserter(results));
    }
    return results;
}

void HeadPagesStudy::finishRows(const Hooks& hooks)
{
    if (m_waiting.empty())
        return;
    const std::vector<WaitingRow> rows = std::exchange(m_waiting, {});
    std::vector<engine::RunRequest> requests;
    for (const WaitingRow& row : rows)
        requests.push_back(requestFor(row.tokens));
    record(rows, run(requests, hooks), hooks);
    hooks.report(m_done, m_request.rows);
}

bool HeadPagesStudy::isAblated(int ordinal) const
{
    const int apart = std::max(1, m_request.rows / std::max(1, m_request.ablationRows));
    return ordinal % apart == 0 && ordinal / apart < m_request.ablationRows;
}

engine::VariantResult HeadPagesStudy::withoutEachHead(const std::vector<std::int64_t>& tokens,
                                                      const Hooks& hooks)
{
    engine::VariantRequest variants{requestFor(tokens), {}, tokens.back(), {}};
    variants.run.capture = {};
    variants.run.capture.tileSide = 1;
    variants.prediction = false;
    variants.tokenLosses = true;
    for (const HeadId head : m_request.heads)
        variants.variants.push_back({{head, {}}});
    return orThrow(m_engine.runVariants(variants, {{}, hooks.stop}));
}

void HeadPagesStudy::record(const std::vector<WaitingRow>& rows,
                            const std::vector<engine::RunResult>& results, const Hooks& hooks)
{
    std::vector<engine::VariantResult> ablated(rows.size());
    for (std::size_t row = 0; row < rows.size(); ++row)
        if (isAblated(m_done + static_cast<int>(row)))  // first: it may be cancelled
            ablated[row] = withoutEachHead(rows[row].tokens, hooks);
    std::vector<stats::RepeatedTokens> repeats;
    std::vector<std::vector<std::size_t>> numbers;
    for (const WaitingRow& row : rows) {
        repeats.emplace_back(row.tokens);
        numbers.push_back(m_tokens.add(row.tokens));
    }
    const std::size_t cells = rows.size() * rows.front().tokens.size() * rows.front().tokens.size();
    forEachInParallel(static_cast<int>(m_tallies.size()), cells, {}, [&](int index) {
        const auto item = static_cast<std::size_t>(index);
        const HeadId head = m_request.heads[item];
        for (std::size_t row = 0; row < rows.size(); ++row) {
            const engine::RunResult& result = results[row];
            const stats::CorpusRow corpusRow{rows[row].number, rows[row].tokens, numbers[row], repeats[row],
                                             result.tileRows};
            m_tallies[item].add(corpusRow, result.mapOf(head), result.statsOf(head), result.tileOf(head));
            if (!ablated[row].variants.empty())
                m_tallies[item].addAblation(corpusRow, ablated[row].baseline.tokenLosses,
                                            ablated[row].variants[item].tokenLosses);
        }
    });
    for (std::size_t row = 0; row < rows.size(); ++row) {
        const std::vector<std::int64_t>& tokens = rows[row].tokens;
        m_first = m_done == 0 || m_first == tokens.front() ? std::optional(tokens.front()) : std::nullopt;
        m_longest = std::max(m_longest, static_cast<int>(tokens.size()));
        m_ablated += ablated[row].variants.empty() ? 0 : 1;
        ++m_done;
    }
}

HeadPages HeadPagesStudy::pages(const Hooks& hooks)
{
    if (m_done == 0)
        fail(ErrorCode::BadRequest, "There is nothing to read; give a longer text.");
    HeadPages result{m_request.run.model->spec().headShape(), m_tokens, m_done, m_ablated, m_longest, {}};
    for (std::size_t head = 0; head < m_tallies.size(); ++head)
        result.pages.push_back({m_request.heads[head], m_tallies[head], {}, {}, NAN, {}, {}});
    addRepeats(result.pages, hooks);
    if (m_request.weights)
        addWeights(result.pages, hooks);
    return result;
}

void HeadPagesStudy::addRepeats(std::vector<HeadPage>& pages, const Hooks& hooks)
{
    const bool hasFirst = m_first && m_done > 1;  // a single row begins with some word
    const int count = std::min(
        {kRepeatedTokens, (m_request.run.model->spec().context - 1) / 2,
         static_cast<int>(std::min<std::size_t>(m_tokens.size(), kRepeatedTokens + 1)) - (hasFirst ? 1 : 0)});
    std::vector<stats::HeadTally> tallies(pages.size(), stats::HeadTally(0));
    if (count >= kLeastRepeated) {
        std::vector<engine::RunRequest> requests;
        for (int row = 0; row < kRepeatedRows; ++row)
            requests.push_back(
                requestFor(repeatedTokens(m_tokens, hasFirst ? m_first : std::nullopt, count, row)));
        stats::CorpusTokens tokens;
        for (const engine::RunResult& result : run(requests, hooks)) {
            const stats::RepeatedTokens repeats(result.tokens);
            const std::vector<std::size_t> numbers = tokens.add(result.tokens);
            const stats::CorpusRow row{0, result.tokens, numbers, repeats, result.tileRows};
            const std::size_t cells = result.tokens.size() * result.tokens.size();
            forEachInParallel(static_cast<int>(pages.size()), cells, hooks.stop, [&](int index) {
                const auto page = static_cast<std::size_t>(index);
                const HeadId head = pages[page].head;
                tallies[page].add(row, result.mapOf(head), result.statsOf(head), result.tileOf(head));
            });
        }
    }
    for (std::size_t page = 0; page < pages.size(); ++page) {
        const stats::HeadTally& tally = tallies[page];
        const auto inductive = tally.kinds()[static_cast<std::size_t>(stats::HeadKind::Induction)];
        pages[page].kind = kindOver(pages[page].tally, 2 * inductive > tally.counts().rows);
        if (tally.counts().rows == 0)
            continue;
        const auto mean = [&](std::size_t metric) { return tally.metrics()[metric].estimate().mean; };
        pages[page].repeats = stats::HeadStats{};
        pages[page].repeats->previousToken = mean(0);
        pages[page].repeats->currentToken = mean(1);
        pages[page].repeats->firstToken = mean(2);
        pages[page].repeats->duplicateToken = mean(3);
        pages[page].repeats->induction = mean(4);
    }
}

void HeadPagesStudy::addWeights(std::vector<HeadPage>& pages, const Hooks& hooks) const
{
    const engine::AdaptedModel model = m_request.run;
    const std::vector<double> copying = orThrow(copyingScores(model, {{}, hooks.stop}));
    const HeadShape shape = model.spec().headShape();
    for (HeadPage& page : pages) {
        page.copying = copying[static_cast<std::size_t>(shape.indexOf(page.head))];
        const auto fill = [&](std::vector<ConnectedTokens>& list, const std::vector<double>& sums) {
            for (const std::size_t number : largestOf(sums, kConnected))
                list.push_back({m_tokens.token(number), {}});
        };
        fill(page.writes, page.tally.asKey());
        fill(page.reads, page.tally.asQuery());
    }
    const auto connect = [&](auto first, auto last, std::vector<ConnectedTokens> HeadPage::* list,
                             const auto& connected) {
        std::vector<HeadToken> items;
        for (auto page = first; page != last; ++page)
            for (const ConnectedTokens& token : (*page).*list)
                items.push_back({page->head.head, token.token});
        std::vector<engine::PromotedTokens> found = orThrow(connected(
            model, first->head.layer, std::span<const HeadToken>(items), kListed, {{}, hooks.stop}));
        auto next = found.begin();
        for (auto page = first; page != last; ++page)
            for (ConnectedTokens& token : (*page).*list)
                token.tokens = std::move(*next++);
    };
    using ForLayer = Result<std::vector<engine::PromotedTokens>> (*)(
        const engine::AdaptedModel&, int, std::span<const HeadToken>, int, const Hooks&);
    for (auto first = pages.begin(); first != pages.end();) {
        hooks.throwIfCancelled();
        const auto last = std::find_if(
            first, pages.end(), [&](const HeadPage& page) { return page.head.layer != first->head.layer; });
        connect(first, last, &HeadPage::writes, static_cast<ForLayer>(tokensWritten));
        connect(first, last, &HeadPage::reads, static_cast<ForLayer>(keysPreferred));
        first = last;
    }
}

Json HeadPagesStudy::toJson() const
{
    Json tallies = Json::array();
    for (const stats::HeadTally& tally : m_tallies)
        tallies.push_back(tally.toJson());
    return {{"done", m_done},
            {"ablated", m_ablated},
            {"longest", m_longest},
            {"first", m_first ? Json(*m_first) : Json()},
            {"tokens", m_tokens.toJson()},
            {"heads", std::move(tallies)}};
}

void HeadPagesStudy::goOnFrom(const JsonReader& state)
{
    static constexpr int kMost = 1 << 30;
    m_done = state["done"].integer(0, kMost);
    m_ablated = state["ablated"].integer(0, m_done);
    m_longest = state["longest"].integer(0, kMost);
    if (state["first"])
        m_first = static_cast<std::int64_t>(state["first"].number(0, 1e15));
    m_tokens = stats::CorpusTokens::from(state["tokens"]);
    std::size_t head = 0;
    for (const JsonReader& tally : state["heads"].items(m_tallies.size())) {
        m_tallies[head] = stats::HeadTally::from(tally, m_request.examples);
        if (m_tallies[head++].asKey().size() > m_tokens.size())
            tally.bad("knows more tokens than there are");
    }
}

}  // namespace hs::analyses
