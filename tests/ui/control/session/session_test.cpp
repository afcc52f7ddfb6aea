#include "control/session/session.h"
#include "support/bytes_of.h"

#include "base/json.h"
#include "support/catch.h"
#include "support/temp_dir.h"
#include "ui/control/session/sample_session.h"

#include <limits>
#include <random>

using namespace hs;
using test::sampleSession;
namespace fs = std::filesystem;

namespace {

control::Session value(const Result<control::Session>& session)
{
    if (!session)
        FAIL(session.error().message);
    return *session;
}

std::string refusal(const std::string& text)
{
    const Result<control::Session> session = control::readSession(text, "/somewhere/work.headscope");
    REQUIRE_FALSE(session.ok());
    CHECK(session.error().code != ErrorCode::Internal);
    CHECK(session.error().message.ends_with("."));
    return session.error().message;
}

bool contains(const std::string& text, const std::string& part)
{
    return text.find(part) != std::string::npos;
}

control::Session withModel(const std::string& source, const std::string& folder)
{
    control::Session session;
    session.document.side(Side::Left).model = QString::fromStdString(source);
    session.traces[0] = {folder, "f1"};
    return session;
}

void checkEveryFieldDiffers(const control::FigureSpec& figure)
{
    const control::FigureSpec plain;
    const auto& [preset, sides, stacked, key, query, threshold, metric, target, versus, corrupted, units,
                 share, level, form] = figure;
    CHECK((preset != plain.preset && stacked && key && query && threshold != plain.threshold));
    CHECK((metric != plain.metric && !target.isEmpty() && !versus.isEmpty() && !corrupted.isEmpty()));
    CHECK((units != plain.units && share != plain.share && level != plain.level));
    for (const control::FigureSide& side : sides) {
        const auto& [shown, title, grid, onlyActive, result] = side;
        CHECK((!shown && !title.isEmpty() && grid != control::GridChoice() && onlyActive && !result.empty()));
    }
    const auto& [width, family, size, line, dots, transparent, map, scale, lowest, highest, perHead, bar,
                 hasCaption, caption, corner] = form;
    CHECK((width != plain.form.width && !family.isEmpty() && size != plain.form.fontSize));
    CHECK((line != plain.form.lineWidth && dots != plain.form.dotsPerInch && transparent));
    CHECK((map != plain.form.colourMap && scale != plain.form.scale && lowest != 0 && highest != 1));
    CHECK((perHead && !bar && !hasCaption && !caption.isEmpty() && corner != plain.form.labelCorner));
}

}  // namespace

TEST_CASE("a session reads back with every field as it was")
{
    const control::Session full = sampleSession();
    const control::Session plain;
    // A new field belongs here, in sampleSession() and in the session file.
    const auto& [sides, alike, generation, generatedShown, arrangement, tiles, look, tool, cuts, filter, key,
                 query, keyTo, queryTo, joinsWords, position, target, distractor, corrupted, set, analyses,
                 badges, threshold, figure] = full.document;
    const auto& [isSamePrompt, areSameAblations, isSameModel] = alike;
    CHECK((!isSamePrompt && areSameAblations && isSameModel));
    CHECK(sides[0].prompt != sides[1].prompt);
    CHECK((arrangement != plain.document.arrangement && tiles != plain.document.tiles));
    const auto& [count, temperature, topK, seed, stop, ablateFrom] = generation;
    CHECK((count != plain.document.generation.count && temperature != 0 && topK != 0 &&
           seed != plain.document.generation.seed && !stop.empty() && ablateFrom != 0 && generatedShown));
    CHECK((filter != plain.document.filter && key && query && position));
    CHECK((keyTo && queryTo && joinsWords));
    CHECK((cuts.unit == text::BlockUnit::Own && cuts.own.size() > 1 && !cuts.own.front().name.empty()));
    CHECK((!target.isEmpty() && !distractor.isEmpty() && threshold != plain.document.edgeThreshold));
    const auto& [source, stamp, pattern, align, index, average] = set;
    CHECK((!source.isEmpty() && !stamp.isEmpty() && !pattern.isEmpty() && align && index && average));
    const auto& [map, scale, perHead, hidesFirst, corner, hasMlps] = look;
    CHECK(hasMlps != plain.document.look.hasMlps);
    CHECK((map != plain.document.look.colourMap && scale != plain.document.look.scale && perHead &&
           hidesFirst && corner != plain.document.look.labelCorner));
    const auto& [sweep, circuit, share, heads, flow, hasRollout, lens, graphShare, metric] = analyses;
    CHECK((!corrupted.isEmpty() && sweep.units != analyses::SweepUnits::Heads &&
           sweep.method != analyses::SweepMethod::Zero));
    CHECK((circuit.units != analyses::CircuitUnits::Heads &&
           circuit.ranking != analyses::CircuitRanking::Restore));
    CHECK((circuit.level != service::CircuitSetup().level && circuit.isRefined && !heads.empty()));
    CHECK((hasRollout && lens.withHalves && lens.colour != control::LensChoice().colour &&
           lens.saliency != control::LensChoice().saliency));
    CHECK((share != plain.document.analyses.share && flow != plain.document.analyses.flowThreshold &&
           graphShare != plain.document.analyses.graphShare &&
           metric != plain.document.analyses.historyMetric));
    const auto& [badge, ranked, ranks, hasKinds] = badges;
    CHECK((badge != control::TileBadges::Kind::None && ranked != service::AnalysisKind::Sweep &&
           ranks != control::TileBadges().count && hasKinds));
    const auto& [kind, wholeGroup, cells] = tool;
    CHECK((kind != plain.document.tool.kind && wholeGroup && cells != plain.document.tool.cells));
    for (const control::SideSetup& side : sides) {
        const auto& [model, prompt, adapters, gate, ablations, grid, graph, generated] = side;
        CHECK(!adapters.empty());
        const auto& [text, isChat, tokenIds, bos] = prompt;
        CHECK((!text.isEmpty() && isChat && !tokenIds.isEmpty() && bos != plain.document.prompt().hasBos));
        CHECK((!model.isEmpty() && !generated.empty() && gate.kind != engine::GateChoice::Kind::Auto &&
               gate.bias && !ablations.empty()));
        const auto& [coders, picked, ends, targets, groups, scales, labels] = graph;
        CHECK((!coders.isEmpty() && !picked.empty() && !ends.empty() && !targets.empty()));
        CHECK((!groups.empty() && !scales.empty() && !labels.empty()));
        const auto& [form, layersRun, blocks, step, first, last, list, order, ascending, columns, hidden] =
            grid;
        CHECK((form == control::GridChoice::Form::List && step != 1 && first != 0 && last != -1 &&
               !list.empty()));
        CHECK((layersRun != control::GridChoice::Flow::Automatic && blocks != 0));
        CHECK((!order.isEmpty() && ascending && columns != 0 && !hidden.empty()));
    }
    checkEveryFieldDiffers(figure);
    const auto& [zoom, linked, selection, current, active, windowState, geometry] = full.view;
    CHECK((zoom != plain.view.zoom && !linked && !selection.empty() && current && active == Side::Right));
    CHECK((!windowState.isEmpty() && !geometry.isEmpty() && full.traces != plain.traces));

    const std::string text = control::writeSession(full, "/somewhere/work.headscope");
    CHECK(value(control::readSession(text, "/somewhere/work.headscope")) == full);
    CHECK(value(control::readSession(control::writeSession(plain, "x.headscope"), "x.headscope")) == plain);
}

TEST_CASE("results of sweeps and circuits come back with their session")
{
    analyses::Sweep sweep;
    sweep.shape = {1, 2, 2};
    sweep.baseline.logit = 3;
    sweep.units = {{0, 0}, {0, 1}};
    sweep.changes = {{-1, -2, -0.5, 0.25, 0.125}, {1, 2, 0.5, -0.25, 0.0625}};
    analyses::Circuit circuit;
    circuit.shape = {1, 2, 2};
    circuit.tokens = 3;
    circuit.clean = 2;
    circuit.level = 0.9;
    circuit.units = {{{0, 1}, std::nullopt, 1, 0.5}, {{0, 0}, std::nullopt, 0, 0}};
    circuit.curve = {{0, 0}, {1, 0.95}, {2, 1}};
    circuit.smallest = 1;
    control::Session session;
    session.results = {{"a sweep", std::make_shared<const service::AnalysisResult>(sweep)},
                       {"a circuit", std::make_shared<const service::AnalysisResult>(circuit)}};
    const control::Session read =
        value(control::readSession(control::writeSession(session, "x.headscope"), "x.headscope"));
    REQUIRE(read.results == session.results);
    CHECK(std::get<analyses::Sweep>(*read.results[0].result).changes[1].logitDifference == 2);
    CHECK(std::get<analyses::Circuit>(*read.results[1].result).units == circuit.units);
    CHECK(std::get<analyses::Circuit>(*read.results[1].result).smallest == 1);
}

TEST_CASE("a session is JSON that people can read")
{
    const std::string text = control::writeSession(sampleSession(), "/somewhere/work.headscope");
    CHECK(text.starts_with("{\n  \"headscope\": {\n    \"version\": 1\n  },\n  \"prompt\": \"When Mary "));
    CHECK(contains(text, "\"L3H7\": \"mean\""));
    CHECK(contains(text, "\"scale\": \"logarithmic\""));
    CHECK(contains(text, "\xC3\xA9"));
}

TEST_CASE("every choice of a gate comes back, and files of before mean what they meant")
{
    using Kind = engine::GateChoice::Kind;
    for (const Kind kind : {Kind::Auto, Kind::Off, Kind::Score})
        for (const std::optional<double> bias : {std::optional<double>(), {0.0}, {-0.5}}) {
            control::Session session;
            session.document.side(Side::Right).gate = {kind, bias};
            CHECK(value(control::readSession(control::writeSession(session, "x.headscope"), "x.headscope")) ==
                  session);
        }
    const auto read = [](const std::string& fields) {
        const std::string text = R"({"headscope": {"version": 1}, "left": {)" + fields + "}}";
        return value(control::readSession(text, "x.headscope")).document.side(Side::Left).gate;
    };
    CHECK(read(R"("gate": "own", "gateBias": 0.0)") == engine::GateChoice());
    CHECK(read(R"("gate": "own", "gateBias": 0.5)") == engine::GateChoice());  // left over from a score gate
    CHECK(read(R"("gate": "off", "gateBias": 0.5)") == engine::GateChoice{Kind::Off, {}});
    CHECK(read(R"("gate": "score", "gateBias": 0.5)") == engine::GateChoice{Kind::Score, 0.5});
    CHECK(read(R"("gate": "score", "gateBias": 0.0)") == engine::GateChoice{Kind::Score, 0.0});
}

TEST_CASE("a document without sense in its numbers still gives a file that opens")
{
    control::Session session;
    session.document.side(Side::Left).gate.bias = std::numeric_limits<double>::quiet_NaN();
    session.document.edgeThreshold = std::numeric_limits<double>::infinity();
    control::setPrompt(session.document, QString(QChar(0xD800)));  // half a surrogate pair
    session.traces[0].folder = "/models/\xff\xfe";
    const control::Session read =
        value(control::readSession(control::writeSession(session, "x.headscope"), "x.headscope"));
    CHECK(read.document.side(Side::Left).gate.bias == 0.0);
    CHECK(read.document.edgeThreshold == control::Document().edgeThreshold);
}

TEST_CASE("session and models that moved together find each other again")
{
    const test::TempDir place;
    const fs::path model = place.write("before/models/tiny/config.json", "{}").parent_path();
    const fs::path file = place / "before" / "work.headscope";
    REQUIRE(control::saveSession(withModel(model.string(), model.string()), file).ok());
    CHECK(value(control::loadSession(file)) == withModel(model.string(), model.string()));

    fs::rename(place / "before", place / "after");
    const std::string moved = (place / "after" / "models" / "tiny").string();
    CHECK(value(control::loadSession(place / "after" / "work.headscope")) == withModel(moved, moved));
}

TEST_CASE("a session that moved alone finds its models where they were")
{
    const test::TempDir place;
    const std::string model = place.write("models/tiny/config.json", "{}").parent_path().string();
    const fs::path file = place / "work.headscope";
    REQUIRE(control::saveSession(withModel(model, model), file).ok());
    fs::create_directories(place / "deep" / "er");
    fs::rename(file, place / "deep" / "er" / "other.headscope");
    CHECK(value(control::loadSession(place / "deep" / "er" / "other.headscope")) == withModel(model, model));
}

TEST_CASE("a model that is nowhere keeps its name, to be asked for")
{
    const control::Session session = withModel("/nowhere/at/all", "/nowhere/at/all");
    CHECK(value(control::readSession(control::writeSession(session, "/a/b.headscope"), "/c/d.headscope")) ==
          session);
}

TEST_CASE("names of models are stored as they are, paths absolute")
{
    const test::TempDir place;
    for (const char* const name : {"demo:dense", "org/name", "gpt2", ""}) {
        const control::Session session = withModel(name, "/cache/snapshot");
        CHECK(value(control::readSession(control::writeSession(session, place / "x.headscope"),
                                         place / "y.headscope")) == session);
    }
    const control::Session relative = withModel("./model", "");
    const control::Session read = value(
        control::readSession(control::writeSession(relative, place / "x.headscope"), place / "x.headscope"));
    CHECK(read.document.side(Side::Left).model.toStdString() == (fs::current_path() / "model").string());
}

TEST_CASE("a relative path that was written into a session by hand is seen from the session")
{
    const control::Session read = value(control::readSession(
        R"({"headscope":{"version":1},"left":{"model":{"source":"./models/../tiny"}}})", "/a/b/x.headscope"));
    CHECK(read.document.side(Side::Left).model == "/a/b/tiny");
}

TEST_CASE("a name stays a name beside a folder that is called so, too")
{
    const test::TempDir place;
    fs::create_directories(place / "org" / "name");
    const control::Session session = withModel("org/name", "/cache/snapshot");
    CHECK(value(control::readSession(control::writeSession(session, place / "x.headscope"),
                                     place / "x.headscope")) == session);
}

TEST_CASE("a session says in a sentence what is wrong with it")
{
    CHECK(contains(refusal(""), "work.headscope is damaged or is no session"));
    CHECK(contains(refusal("{\"headscope\": {\"version\": 1}"), "damaged"));
    CHECK(contains(refusal("[]"), "no session"));
    CHECK(contains(refusal("{}"), "no session"));
    CHECK(contains(refusal("{\"headscope\": {}}"), "format"));
    CHECK(contains(refusal("{\"headscope\": 1}"), "\"headscope\" should be"));
    CHECK(contains(refusal("{\"headscope\": {\"version\": 2}}"), "update HeadScope"));
    CHECK(contains(refusal("{\"headscope\": {\"version\": -1}}"), "\"headscope.version\""));
    CHECK(contains(refusal(std::string(100'000, '[')), "damaged"));
    CHECK(contains(refusal("{\"headscope\": {\"version\": 1}, \"gateBias\": 1e999}"), "damaged"));
    CHECK(contains(refusal("{\"headscope\": {\"version\": 1}, \"gateBias\": NaN}"), "damaged"));
}

TEST_CASE("a field of the wrong kind is named, with what it should be")
{
    const std::pair<const char*, const char*> wrong[] = {
        {"/prompt", "5"},
        {"/bos", "\"yes\""},
        {"/left", "[]"},
        {"/left/model/source", "[1]"},
        {"/left/gate", "\"open\""},
        {"/left/gateBias", "\"1\""},
        {"/right/ablations", "[\"L0H0\"]"},
        {"/right/ablations/L0H0", "\"replace\""},
        {"/right/ablations/L*H*", "\"zero\""},
        {"/left/grid/form", "7"},
        {"/left/grid/layerStep", "0"},
        {"/left/grid/firstHead", "-1"},
        {"/left/grid/lastHead", "1e7"},
        {"/left/grid/columns", "99999999999999999999999"},
        {"/left/grid/list", "[\"L0-2000000000H*\"]"},
        {"/left/grid/hidden", "{}"},
        {"/arrangement", "null0"},
        {"/blocks/unit", "\"paragraphs\""},
        {"/look/scale", "\"cubic\""},
        {"/key", "-3"},
        {"/query", "2.5"},
        {"/position", "18446744073709551615"},
        {"/edgeThreshold", "1.5"},
        {"/view/left/tileSide", "-1"},
        {"/view/left/tileSide", "1e300"},
        {"/view/right/centre", "[1]"},
        {"/view/right/centre", "[1, \"2\"]"},
        {"/view/right/centre", "[1, -1e300]"},
        {"/view/currentHead", "3"},
        {"/view/activeSide", "\"middle\""},
        {"/view/windowState", "\"*** no base64 ***\""},
    };
    for (const auto& [place, bad] : wrong) {
        Json tree = Json::parse(control::writeSession(sampleSession(), "work.headscope"));
        const Json badValue = Json::parse(bad, nullptr, false);
        tree[Json::json_pointer(place)] = badValue.is_discarded() ? Json("nonsense") : badValue;
        std::string name(place + 1);
        std::ranges::replace(name, '/', '.');
        if (name.ends_with("L*H*"))
            name = "right.ablations";
        const std::string message = refusal(tree.dump());
        INFO(message);
        CHECK(contains(message, '"' + name + "\" should be "));
        CHECK(contains(message, "correct it, or take it out"));
    }
}

TEST_CASE("what a session does not say is the default, and what nobody knows is passed over")
{
    CHECK(value(control::readSession(R"({"headscope": {"version": 1}})", "x")) == control::Session());
    Json tree = Json::parse(control::writeSession(sampleSession(), "/somewhere/work.headscope"));
    tree["soon"] = {{"to", "come"}};
    tree["left"]["grid"]["depth"] = 3;
    CHECK(value(control::readSession(tree.dump(), "/somewhere/work.headscope")) == sampleSession());
    tree["key"] = nullptr;
    CHECK_FALSE(value(control::readSession(tree.dump(), "/somewhere/work.headscope")).document.key);
}

TEST_CASE("heads beyond any model are kept, for the model to judge")
{
    const control::Session read = value(control::readSession(
        R"({"headscope": {"version": 1},
            "left": {"ablations": {"L2000000000H1999999999": "zero", "L4MLP": "mean"}}})",
        "x"));
    CHECK(read.document.side(Side::Left).ablations ==
          std::map<HeadId, HeadChange>{{{2'000'000'000, 1'999'999'999}, engine::HeadAblation::Kind::Zero},
                                       {HeadId::mlpOf(4), engine::HeadAblation::Kind::Mean}});
}

TEST_CASE("a damaged session is refused or read, never more")
{
    const std::string text = control::writeSession(sampleSession(), "/somewhere/work.headscope");
    for (std::size_t length = 0; length + 2 < text.size(); length += 7)
        CHECK_FALSE(control::readSession(text.substr(0, length), "x").ok());
    std::mt19937 random(5);
    for (int round = 0; round < 3000; ++round) {
        std::string damaged = text;
        for (int flip = 0; flip < 3; ++flip)
            damaged[random() % damaged.size()] = static_cast<char>(random());
        const Result<control::Session> session = control::readSession(damaged, "x");
        if (!session)
            CHECK(session.error().code != ErrorCode::Internal);
    }
}

TEST_CASE("a session is saved whole or not at all")
{
    const test::TempDir place;
    const fs::path file = place / "work.headscope";
    REQUIRE(control::saveSession(sampleSession(), file).ok());
    const std::string before = test::bytesOf(file);
    CHECK(value(control::loadSession(file)) == sampleSession());
    CHECK_FALSE(control::saveSession({}, place / "absent" / "work.headscope").ok());
    REQUIRE(control::saveSession({}, file).ok());
    CHECK(test::bytesOf(file) != before);
    CHECK(std::distance(fs::directory_iterator(place.path()), fs::directory_iterator()) == 1);
    CHECK_FALSE(control::loadSession(place / "absent.headscope").ok());
    CHECK_FALSE(control::loadSession(place.path()).ok());
}
