#include "analyses/head_pages.h"

#include "analyses/head_circuit.h"
#include "analyses/head_tree.h"
#include "engine/load/model.h"
#include "support/catch.h"
#include "support/models.h"
#include "support/npz.h"
#include "support/refusals.h"
#include "support/temp_dir.h"

#include <algorithm>
#include <cmath>
#include <memory>

using namespace hs;

namespace {

using Tokens = std::vector<std::int64_t>;

std::vector<Tokens> rowsOf(int count)
{
    std::vector<Tokens> rows;
    for (int index = 0; index < count; ++index) {
        Tokens tokens = {1};
        for (int at = 1; at < (index % 5 == 4 ? 7 : 12); ++at)
            tokens.push_back(1 + (7 * index + 3 * at + index * at) % 11);
        rows.push_back(tokens);
    }
    return rows;
}

analyses::HeadPagesRequest pagesRequest(const std::string& name, int rows)
{
    analyses::HeadPagesRequest request;
    request.run.model = test::openOnce(name);
    if (const auto bias = request.run.model->spec().gateBias)
        request.run.gate = {*bias};
    request.heads = request.run.model->spec().headShape().all();
    request.examples = 3;
    request.rows = rows;
    request.ablationRows = 2;
    return request;
}

std::string textOf(std::int64_t token)
{
    return std::to_string(token);
}

/// All that is written of the pages.
std::string bytesOf(const analyses::HeadPages& pages)
{
    std::string bytes =
        headTreeConfig(pages, {"model", "corpus", "F32", {}}).dump() + headTreeScatter(pages).dump();
    for (const analyses::HeadPage& page : pages.pages)
        bytes += headTreePage(pages, page, textOf).dump();
    return bytes;
}

analyses::HeadPages pagesOf(const std::string& name, const std::vector<Tokens>& rows)
{
    analyses::HeadPagesStudy study(pagesRequest(name, static_cast<int>(rows.size())));
    for (std::size_t row = 0; row < rows.size(); ++row)
        study.add(static_cast<int>(row), rows[row], {});
    study.finishRows({});
    return study.pages({});
}

engine::RunResult runOf(const std::string& name, const Tokens& tokens,
                        const engine::Ablations& ablations = {})
{
    engine::RunRequest request = pagesRequest(name, 1).run;
    request.tokens = tokens;
    request.ablations = ablations;
    request.capture.fullMaps = true;
    request.capture.logits = true;
    return test::value(engine::Engine().run(request));
}

double lossAt(const engine::RunResult& run, std::size_t query)
{
    const std::size_t vocabulary = run.logits.size() / run.tokens.size();
    const float* const logits = run.logits.data() + query * vocabulary;
    double sum = 0;
    for (std::size_t token = 0; token < vocabulary; ++token)
        sum += std::exp(double(logits[token]));
    return std::log(sum) - logits[run.tokens[query + 1]];
}

void writeTree(const test::TempDir& folder, const std::string& name, const Json& config, const Json& scatter)
{
    folder.write(name + "/config.json", config.dump());
    folder.write(name + "/scatter_data.json", scatter.dump());
}

}  // namespace

TEST_CASE("an example's attention is that of a run of its row, and there is no larger one in it")
{
    const std::string name = GENERATE(as<std::string>(), "gpt2", "qwen2", "mistral-window", "demo-sparse");
    INFO(name);
    const std::vector<Tokens> rows = rowsOf(9);
    for (const analyses::HeadPage& page : pagesOf(name, rows).pages) {
        for (const stats::HeadExample& example : page.tally.examples()) {
            const engine::RunResult run = runOf(name, example.tokens);
            CHECK(example.tokens == rows[static_cast<std::size_t>(example.row)]);
            const auto length = static_cast<int>(example.tokens.size());
            const float* const map = run.mapOf(page.head);
            CHECK(map[example.most.query * length + example.most.key] ==
                  Approx(example.most.weight).margin(1e-5));
            float most = 0;
            for (int query = 1; query < length; ++query)
                for (int key = 1; key <= query; ++key)
                    most = std::max(most, map[query * length + key]);
            CHECK(most == Approx(example.most.weight).margin(1e-5));
            CHECK(!example.cells.empty());
            CHECK(std::ranges::all_of(example.cells, [&](const stats::HeadExample::Cell& cell) {
                return std::abs(map[cell.query * length + cell.key] - cell.weight) < 1e-5f;
            }));
        }
    }
}

TEST_CASE("pages have the scores of the attention that transformers computes")
{
    for (const std::string name : {"gpt2", "llama-grouped", "gemma3"}) {
        INFO(name);
        const auto expected = test::readNpz(test::goldenModels() / name / "expected.npz");
        const Tokens tokens = expected.at("tokens").as<std::int64_t>();
        const auto attention = expected.at("attention").as<float>();
        const std::size_t length = tokens.size();
        const double positions = static_cast<double>(length);
        std::size_t head = 0;
        for (const analyses::HeadPage& page : pagesOf(name, {tokens}).pages) {
            const float* const map = attention.data() + head++ * length * length;
            double self = 0, previous = 0, entropy = 0, distance = 0, squares = 0, induction = 0,
                   repeated = 0;
            for (std::size_t query = 0; query < length; ++query) {
                bool isRepeated = false;
                for (std::size_t key = 0; key <= query; ++key) {
                    const double weight = map[query * length + key];
                    const auto apart = static_cast<double>(query - key);
                    self += query == key ? weight : 0;
                    previous += query == key + 1 ? weight : 0;
                    entropy -= weight > 0 ? weight * std::log(weight) : 0;
                    distance += weight * apart;
                    squares += weight * apart * apart;
                    if (key > 0 && tokens[key - 1] == tokens[query]) {
                        isRepeated = true;
                        induction += weight >= 0.01 ? weight : 0;
                    }
                }
                repeated += isRepeated ? 1 : 0;
            }
            const stats::HeadTally::Scores scores = page.tally.scores();
            CHECK(scores.self == Approx(self / positions).margin(1e-5));
            CHECK(scores.previous == Approx(previous / (positions - 1)).margin(1e-5));
            CHECK(scores.entropy == Approx(entropy / positions).margin(1e-4));
            CHECK(scores.distance == Approx(distance / positions).margin(1e-4));
            CHECK(scores.distanceVariance ==
                  Approx(squares / positions - distance / positions * distance / positions).margin(1e-3));
            if (repeated > 0)
                CHECK(scores.induction == Approx(induction / repeated).margin(1e-4));
            const stats::AttentionShares shares = page.tally.shares();
            CHECK(shares.first + shares.current + shares.previous + shares.afterCopy + shares.elsewhere +
                      shares.nowhere ==
                  Approx(1));
        }
    }
}

TEST_CASE("pages of rows side by side, alone, or stopped and resumed are the same bytes")
{
    const std::string name = GENERATE(as<std::string>(), "gpt2", "demo-sparse");
    INFO(name);
    const std::vector<Tokens> rows = rowsOf(11);
    const std::string whole = bytesOf(pagesOf(name, rows));
    for (const std::size_t stop : {std::size_t{1}, std::size_t{6}, rows.size()}) {
        analyses::HeadPagesStudy begun(pagesRequest(name, static_cast<int>(rows.size())));
        for (std::size_t row = 0; row < stop; ++row) {
            begun.add(static_cast<int>(row), rows[row], {});
            begun.finishRows({});  // each alone
        }
        const Json state = Json::from_cbor(Json::to_cbor(begun.toJson()));
        analyses::HeadPagesStudy rest(pagesRequest(name, static_cast<int>(rows.size())));
        rest.goOnFrom(JsonReader(state, "progress", "begin again"));
        REQUIRE(rest.done() == static_cast<int>(stop));
        for (std::size_t row = stop; row < rows.size(); ++row)
            rest.add(static_cast<int>(row), rows[row], {});
        rest.finishRows({});
        CHECK(bytesOf(rest.pages({})) == whole);
    }
}

TEST_CASE("a row counts only as a whole: work that is stopped in an ablation goes on with it")
{
    const std::vector<Tokens> rows = rowsOf(2);
    analyses::HeadPagesStudy study(pagesRequest("gpt2", 2));
    study.add(0, rows[0], {});
    std::stop_source stop;
    stop.request_stop();
    CHECK(test::isRefused([&] { study.finishRows({{}, stop.get_token()}); }, "Cancelled"));
    CHECK(study.done() == 0);
    CHECK(test::isRefused([&] { study.pages({}); }, "nothing to read"));
    CHECK(test::isRefused([&] { study.add(0, {1}, {}); }, "two tokens"));
}

TEST_CASE("what ablation does to each token is the change of its loss between two runs")
{
    const std::string name = GENERATE(as<std::string>(), "gpt2", "qwen2", "demo-sparse");
    INFO(name);
    const std::vector<Tokens> rows = {rowsOf(2)[1]};
    const engine::RunResult before = runOf(name, rows[0]);
    for (const analyses::HeadPage& page : pagesOf(name, rows).pages) {
        const engine::RunResult after = runOf(name, rows[0], {{page.head, {}}});
        double sum = 0;
        double most = 0;
        for (std::size_t query = 0; query + 1 < rows[0].size(); ++query) {
            const double change = lossAt(after, query) - lossAt(before, query);
            sum += change;
            most = std::max(most, change);
        }
        const stats::Estimate loss = page.tally.ablation().estimate();
        CHECK(loss.count == std::ssize(rows[0]) - 1);
        CHECK(loss.mean == Approx(sum / static_cast<double>(loss.count)).margin(1e-4));
        if (most > 1e-3) {
            REQUIRE(!page.tally.harmed().empty());
            const stats::TokenChange& change = page.tally.harmed().front();
            const auto query = static_cast<std::size_t>(change.position) - 1;
            CHECK(change.change == Approx(most).margin(1e-4));
            CHECK(change.loss == Approx(lossAt(before, query)).margin(1e-4));
        }
    }
}

TEST_CASE("a page lists what the head's weights say of the tokens that it looks at most")
{
    for (const std::string name : {"llama-grouped", "gpt2"}) {
        INFO(name);
        const analyses::HeadPages pages = pagesOf(name, rowsOf(4));
        const std::vector<double> copying = test::value(analyses::copyingScores(*test::openOnce(name)));
        for (const analyses::HeadPage& page : pages.pages) {
            CHECK(page.copying == copying[static_cast<std::size_t>(pages.shape.indexOf(page.head))]);
            REQUIRE(page.writes.size() == 3);
            REQUIRE(page.reads.size() == 3);
            const std::vector<double>& sums = page.tally.asKey();
            CHECK(pages.tokens.token(static_cast<std::size_t>(std::ranges::max_element(sums) -
                                                              sums.begin())) == page.writes[0].token);
            for (std::size_t item = 0; item < 3; ++item) {
                const auto same = [](const engine::PromotedTokens& a, const engine::PromotedTokens& b) {
                    return std::ranges::equal(a.most, b.most, [](const auto& x, const auto& y) {
                        return x.token == y.token && std::abs(x.weight - y.weight) < 1e-5;
                    });
                };
                CHECK(same(page.writes[item].tokens,
                           test::value(analyses::tokensWritten(*test::openOnce(name), page.head,
                                                               page.writes[item].token, 6))));
                CHECK(same(page.reads[item].tokens,
                           test::value(analyses::keysPreferred(*test::openOnce(name), page.head,
                                                               page.reads[item].token, 6))));
            }
        }
    }
}

TEST_CASE("a tree that is opened has the numbers that were written, and differs from itself in nothing")
{
    const test::TempDir folder;
    const analyses::HeadPages pages = pagesOf("gpt2", rowsOf(4));
    writeTree(folder, "ours", headTreeConfig(pages, {"gpt2", "rows", "F32", {}}), headTreeScatter(pages));
    const analyses::HeadTree tree = analyses::openHeadTree(folder / "ours");
    CHECK(tree.model == "gpt2");
    CHECK(tree.heads.size() == pages.pages.size());
    for (const analyses::HeadPage& page : pages.pages) {
        const analyses::HeadTreeRow& row = tree.heads.at(page.head);
        CHECK(row.numbers.at("self_attention_score") == page.tally.scores().self);
        CHECK(row.numbers.at("ablation_loss") == page.tally.ablation().estimate().mean);
        CHECK(row.kind == (page.kind ? wordOf(*page.kind) : ""));
    }
    for (const analyses::HeadTreeDifference& difference : compareHeadTrees(tree, tree))
        CHECK(difference.distance == 0);
}

TEST_CASE("HeadVis's trees open, and heads are compared by the numbers that both trees have")
{
    const test::TempDir folder;
    const auto row = [](int head, double self, Json induction) {
        return Json{
            {"layer", 0}, {"head", head}, {"self_attention_score", self}, {"induction_score", induction}};
    };
    const Json config = {{"model_name", "google/gemma-3-1b-pt"},
                         {"dataset_name", "monology/pile-uncopyrighted"},
                         {"metrics", {"self_attention_score", "induction_score"}}};
    writeTree(folder, "a", config, {row(0, 0.1, 0.5), row(1, 0.2, {}), row(2, 0.3, 0.1)});
    writeTree(folder, "b", {{"model_name", "other"}, {"metrics", {"self_attention_score"}}},
              {row(0, 0.1, 0.1), row(1, 0.8, 0.5)});
    const analyses::HeadTree a = analyses::openHeadTree(folder / "a");
    const analyses::HeadTree b = analyses::openHeadTree(folder / "b");
    CHECK(a.heads.at({0, 1}).numbers.count("induction_score") == 0);
    const std::vector<analyses::HeadTreeDifference> differences = compareHeadTrees(a, b);
    REQUIRE(differences.size() == 2);
    CHECK(differences[0].head == HeadId{0, 1});
    CHECK(differences[0].metric == "self_attention_score");
    CHECK(differences[0].first == 0.2);
    CHECK(differences[0].second == 0.8);
    CHECK(differences[1].distance == 0);
    CHECK(test::isRefused([&] { analyses::openHeadTree(folder / "none"); }, "no scatter_data.json"));
    CHECK(test::isRefused([&] { analyses::readHeadPage(a, {7, 7}); }, "L0H0"));
}
