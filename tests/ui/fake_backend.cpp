#include "ui/fake_backend.h"

#include "stats/span_fold.h"
#include "ui/made_up_analyses.h"
#include "ui/made_up_maps.h"
#include "ui/made_up_run.h"
#include "ui/made_up_set.h"

#include <QRegularExpression>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <sstream>

namespace hs::test {
namespace {

constexpr std::int64_t kVocabulary = 195;
constexpr int kLargestTile = 256;
constexpr double kOwnBias = -0.25;

std::uint64_t mix(std::uint64_t hash, std::string_view text)
{
    for (const char byte : text)
        hash = (hash ^ static_cast<unsigned char>(byte)) * 1099511628211u;
    return hash;
}

constexpr std::uint64_t kStart = 14695981039346656037u;

std::vector<text::Token> tokensOf(const service::SideRequest& request)
{
    const bool isLetters = request.model->request.source.find("+letters") != std::string::npos;
    std::vector<text::Token> tokens;
    if (request.hasBos)
        tokens.push_back({0, "<bos>", 0, 0});
    const std::string& text = request.prompt;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t start = text.find_first_not_of(" \n\t", begin);
        if (start == std::string::npos)
            break;
        const std::size_t end =
            isLetters ? start + 1 : std::min(text.find_first_of(" \n\t", start), text.size());
        const std::string word = text.substr(start, end - start);
        const auto id = static_cast<std::int64_t>(2 + mix(kStart, word) % (kVocabulary - 2));
        tokens.push_back({id, (start > begin ? " " : "") + word, start, end});
        begin = end;
    }
    const auto generated =
        service::generatedTokens(request.model->tokenizer.get(), request.generated, text.size());
    tokens.insert(tokens.end(), generated.begin(), generated.end());
    return tokens;
}

std::vector<std::int64_t> idsOf(const std::vector<text::Token>& tokens)
{
    std::vector<std::int64_t> ids;
    for (const text::Token& token : tokens)
        ids.push_back(token.id);
    return ids;
}

double keptShare(const service::SideRequest& request)
{
    return request.gate ? std::clamp(0.04 * std::exp(request.gate->bias), 0.0, 0.99) : 1;
}

/// What a layer's weights depend on: the prompt, and ablations in the layers before it.
std::uint64_t variantOf(const service::SideRequest& request, int layer, bool isBefore)
{
    std::uint64_t hash = mix(kStart, request.prompt + (request.hasBos ? "b" : ""));
    if (request.view)
        hash = mix(hash, wordOf(request.view->average));
    if (!isBefore)
        for (const auto& [head, change] : request.ablations)
            if (head.layer < layer)
                hash = mix(hash, toString(head) + toString(change));
    return hash;
}

/// What the rows and columns of a request's maps are: its tokens, or blocks of them.
struct Places {
    explicit Places(const service::SideRequest& request)
        : text(tokensOf(request)), blocks(text::blocksOf(request.blocks, text)),
          tokens(blocks.spans.folds() ? text::tokensOf(blocks, text) : text)
    {
    }

    int count() const { return static_cast<int>(tokens.size()); }

    std::vector<text::Token> text;
    text::Blocks blocks;
    std::vector<text::Token> tokens;
};

std::vector<float> weights(const service::SideRequest& request, HeadId head, const Places& places,
                           bool isBefore)
{
    const std::vector<float> map = madeUpMap(head, static_cast<int>(places.text.size()), keptShare(request),
                                             variantOf(request, head.layer, isBefore));
    if (!places.blocks.spans.folds())
        return map;
    std::vector<float> folded(places.tokens.size() * places.tokens.size());
    stats::foldMap(places.blocks.spans, map.data(), folded.data());
    return folded;
}

std::vector<double> logitsOf(const service::SideRequest& request, int position, bool isBefore)
{
    std::uint64_t hash = variantOf(request, std::numeric_limits<int>::max(), isBefore);
    hash = mix(hash, std::to_string(position) + std::to_string(keptShare(request)));
    std::vector<double> logits;
    for (std::int64_t id = 0; id < kVocabulary; ++id)
        logits.push_back(static_cast<double>(mix(hash, std::to_string(id)) % 10007) / 1200.0);
    return logits;
}

std::vector<engine::Prediction> predictions(const std::vector<double>& logits)
{
    const double sum = std::accumulate(logits.begin(), logits.end(), 0.0,
                                       [](double total, double logit) { return total + std::exp(logit); });
    std::vector<engine::Prediction> all;
    for (std::size_t id = 0; id < logits.size(); ++id)
        all.push_back({static_cast<std::int64_t>(id), std::exp(logits[id]) / sum, logits[id]});
    return all;
}

engine::RunResult result(const service::SideRequest& request, const Places& places, int position,
                         bool isBefore)
{
    engine::RunResult run = runOf(request.model->heads, idsOf(places.tokens), kLargestTile,
                                  [&](HeadId head) { return weights(request, head, places, isBefore); });
    run.position = position;
    run.predictions = predictions(logitsOf(request, position, isBefore));
    std::stable_sort(run.predictions.begin(), run.predictions.end(),
                     [](const engine::Prediction& a, const engine::Prediction& b) {
                         return a.probability > b.probability;
                     });
    run.predictions.resize(10);
    run.loss = 1 + run.predictions.front().probability;
    return run;
}

void name(service::SideResult& run, const Places& places)
{
    run.tokens = places.tokens;
    run.spans = places.blocks.spans;
    if (places.blocks.spans.folds())
        run.blockTokens = places.text;
}

/// One of six steps of a training: 100, 200, and so on.
void takeStep(service::OpenModel& model, std::size_t step)
{
    const std::string stem = model.request.source.substr(0, model.request.source.find('@') + 1);
    for (int index = 0; index < 6; ++index)
        model.revisions.push_back({100 * (index + 1), stem + std::to_string(index)});
    model.revision = step;
}

service::SideResult partOf(const service::SideRequest& request, int layers)
{
    const Places places(request);
    service::SideResult part;
    part.request = request;
    name(part, places);
    HeadShape heads = request.model->heads;
    heads.layers = std::min(heads.layers, layers);
    part.after = runOf(heads, idsOf(part.tokens), kLargestTile,
                       [&](HeadId head) { return weights(request, head, places, false); });
    part.kinds = service::kindsOf(part.after);
    return part;
}

service::WatchedToken watch(const std::string& text, const service::SideRequest& request, int position)
{
    service::WatchedToken watched;
    std::istringstream words(text);
    std::string word, more;
    if (!(words >> word))
        return watched;
    if (words >> more) {
        watched.problem = "\"" + text + "\" is more than one token; give one of its words.";
        return watched;
    }
    watched.id = static_cast<std::int64_t>(2 + mix(kStart, word) % (kVocabulary - 2));
    const auto index = static_cast<std::size_t>(watched.id);
    watched.after = predictions(logitsOf(request, position, false))[index];
    watched.before = predictions(logitsOf(request, position, true))[index];
    return watched;
}

service::SideResult sideResult(const service::SideRequest& request)
{
    service::SideResult run;
    run.request = request;
    const Places places(request);
    name(run, places);
    const int length = static_cast<int>(places.text.size());
    if (length == 0)
        fail(ErrorCode::BadRequest, "The prompt has no tokens; type some text.");
    if (length > FakeBackend::kContext)
        fail(ErrorCode::BadRequest, "The prompt is longer than this model takes; shorten it.");
    run.position = std::min(request.position.value_or(length - 1), length - 1);
    run.after = result(request, places, run.position, false);
    const bool isChanged = !request.ablations.empty();
    run.before = isChanged ? result(request, places, run.position, true) : run.after;
    run.kinds = service::kindsOf(run.after);
    run.target = watch(request.target, request, run.position);
    run.distractor = watch(request.distractor, request, run.position);
    if (request.next) {
        const auto index = static_cast<std::size_t>(*request.next);
        run.next = {*request.next,
                    {},
                    predictions(logitsOf(request, run.position, false))[index],
                    predictions(logitsOf(request, run.position, true))[index]};
    }
    return run;
}

float asKind(float weight, engine::MapKind kind, int query, int key)
{
    const float outside = -std::numeric_limits<float>::infinity();
    switch (kind) {
    case engine::MapKind::Weights: return weight;
    case engine::MapKind::Scores: return key > query ? outside : weight > 0 ? std::log(weight) : -12.0f;
    case engine::MapKind::Gate: return weight > 0 ? 1.0f : 0.0f;
    case engine::MapKind::ValueWeighted: return weight * (1 + static_cast<float>(key % 5));
    }
    return weight;
}

}  // namespace

void FakeBackend::hold(Call call, bool isDeaf)
{
    const std::lock_guard lock(m_mutex);
    gate(call).isHeld = true;
    gate(call).isDeaf = isDeaf;
}

void FakeBackend::release(Call call)
{
    const std::lock_guard lock(m_mutex);
    gate(call).isHeld = false;
    m_changed.notify_all();
}

void FakeBackend::waitUntilHeld(Call call)
{
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, [&] { return gate(call).waiting > 0; });
}

void FakeBackend::failNext(Call call, Error error)
{
    const std::lock_guard lock(m_mutex);
    gate(call).error = std::move(error);
}

void FakeBackend::pass(Call call, const Hooks& hooks)
{
    ++m_counts[static_cast<std::size_t>(call)];
    if (std::this_thread::get_id() == m_home)
        m_wasCalledAtHome = true;
    hooks.report(1, 2);
    std::unique_lock lock(m_mutex);
    if (gate(call).isHeld) {
        ++gate(call).waiting;
        m_changed.notify_all();
        const std::stop_token stop = gate(call).isDeaf ? std::stop_token() : hooks.stop;
        m_changed.wait(lock, stop, [&] { return !gate(call).isHeld; });
        --gate(call).waiting;
    }
    const std::optional<Error> error = std::exchange(gate(call).error, std::nullopt);
    lock.unlock();
    hooks.throwIfCancelled();
    if (error)
        throw Failure(*error);
    hooks.report(2, 2);
}

Result<std::shared_ptr<const service::OpenModel>> FakeBackend::open(const service::OpenRequest& request,
                                                                    const Hooks& hooks)
{
    return guarded([&]() -> std::shared_ptr<const service::OpenModel> {
        pass(Call::Open, hooks);
        if (auto maps = madeUpMaps(request))
            return maps;
        static const QRegularExpression pattern(
            QStringLiteral("^fake:(\\d+)x(\\d+)(?:/(\\d+))?(\\+gate)?(?:@(\\d))?"));
        const QRegularExpressionMatch match = pattern.match(QString::fromStdString(request.source));
        if (!match.hasMatch())
            fail(ErrorCode::NotFound,
                 "There is no model at " + request.source + "; choose a folder with a config.json.");
        if (!m_tokenizer)
            m_tokenizer = orThrow(text::Tokenizer::load(HS_SOURCE_DIR "/resources/models/demo-dense"));
        auto model = std::make_shared<service::OpenModel>();
        model->request = request;
        model->title = request.source.substr(5);
        model->heads = {match.captured(1).toInt(), match.captured(2).toInt(), match.captured(2).toInt()};
        if (match.hasCaptured(3))
            model->heads.kvHeads = match.captured(3).toInt();
        if (match.hasCaptured(4))
            model->ownGateBias = kOwnBias;
        if (match.hasCaptured(5))
            takeStep(*model, match.captured(5).toUInt());
        model->hasGpu = request.source.ends_with("+gpu") || request.source.ends_with("+broken");
        if (request.source.ends_with("+note"))
            model->notes = {"This model has a note; read it."};
        model->context = kContext;
        model->device = "no device";
        model->precision = request.tf32 ? "tf32" : "float32";
        model->tf32 = request.tf32;
        model->weightBytes = 1000 * static_cast<std::uint64_t>(model->heads.total());
        model->folder = request.source;
        model->fingerprint = std::to_string(mix(kStart, model->folder));
        if (request.source.find("+features") != std::string::npos)
            model->coders = "made-up";
        model->tokenizer = m_tokenizer;
        return model;
    });
}

Result<service::SideResult> FakeBackend::run(Side side, const service::SideRequest& request,
                                             const Hooks& hooks, const service::OnRunPart& onPart)
{
    return guarded([&] {
        if (request.model->maps) {
            pass(Call::Run, hooks);
            return orThrow(m_maps.run(side, request, hooks, onPart));
        }
        if (const int layers = m_partLayers; layers > 0 && onPart)
            onPart(request.view ? asSet(partOf(request, request.model->heads.layers), /*isPart=*/true)
                                : partOf(request, layers));
        pass(Call::Run, hooks);
        service::SideResult run = sideResult(request);
        run.after.milliseconds = m_milliseconds;
        return request.view ? asSet(std::move(run), request.view->isPartial) : run;
    });
}

Result<service::GeneratedText> FakeBackend::generate(Side, const service::SideRequest& request,
                                                     const service::GenerationSetup& setup,
                                                     const Hooks& hooks, const service::OnRunPart& onStep)
{
    return guarded([&] {
        std::vector<std::int64_t> tokens;
        service::SideRequest ofTokens = request;
        ofTokens.blocks = {};
        for (int step = 0; step <= setup.count; ++step) {
            if (step == setup.count / 2)
                pass(Call::Generation, hooks);
            service::SideRequest text = service::atStep(ofTokens, setup.ablateFrom, tokens, std::nullopt);
            if (step < setup.count) {
                text.next = sideResult(text).after.predictions.front().token;
                tokens.push_back(*text.next);
            }
            onStep(sideResult(text));
        }
        return service::GeneratedText{tokens};
    });
}

Result<engine::LayerMap> FakeBackend::maps(const service::SideRequest& request,
                                           const service::MapQuery& query, const Hooks& hooks)
{
    return guarded([&]() -> engine::LayerMap {
        pass(Call::Maps, hooks);
        if (request.model->maps)
            return orThrow(m_maps.maps(request, query, hooks));
        const Places places(request);
        const int length = places.count();
        const auto cells = static_cast<std::size_t>(length) * static_cast<std::size_t>(length);
        const HeadShape heads = request.model->heads;
        std::shared_ptr<float[]> maps(new float[static_cast<std::size_t>(heads.heads) * cells]);
        for (int head = 0; head < heads.heads; ++head) {
            const std::vector<float> map = weights(request, {query.layer, head}, places, query.isBefore);
            for (std::size_t cell = 0; cell < cells; ++cell)
                maps[static_cast<std::size_t>(head) * cells + cell] = asKind(
                    map[cell], query.kind, static_cast<int>(cell) / length, static_cast<int>(cell) % length);
        }
        return maps;
    });
}

Result<stats::PooledMaps> FakeBackend::pooledMaps(Side side, const service::SideRequest& request,
                                                  engine::MapKind kind, const Hooks& hooks)
{
    return guarded([&] {
        const int length = Places(request).count();
        return stats::poolMaps(
            request.model->heads, length, std::min(length, kLargestTile), kind == engine::MapKind::Scores,
            [&](int layer) { return orThrow(maps(request, {side, layer, kind, false}, hooks)); });
    });
}

Result<std::vector<float>> FakeBackend::cellWeights(Side side, const service::SideRequest& request, int query,
                                                    int key, const Hooks& hooks)
{
    return guarded([&] {
        pass(Call::Cells, hooks);
        if (request.model->maps)
            return orThrow(m_maps.cellWeights(side, request, query, key, hooks));
        const Places places(request);
        std::vector<float> values;
        for (int index = 0; index < request.model->heads.total(); ++index) {
            const std::vector<float> map = weights(request, request.model->heads.at(index), places, false);
            values.push_back(map[static_cast<std::size_t>(query * places.count() + key)]);
        }
        return values;
    });
}

Result<service::AnalysisResult> FakeBackend::analyse(const service::AnalysisRequest& request,
                                                     const Hooks& hooks,
                                                     const service::OnAnalysisPart& onPart)
{
    return guarded([&]() -> service::AnalysisResult {
        if (const std::string problem = service::problemOf(request); !problem.empty())
            fail(ErrorCode::BadRequest, problem);
        if (request.side.model->maps) {
            pass(Call::Analysis, hooks);
            return orThrow(m_maps.analyse(request, hooks, onPart));
        }
        if (request.kind == service::AnalysisKind::Prompts) {
            if (onPart)
                onPart(madeUpScores(request, /*isPart=*/true));
            pass(Call::Analysis, hooks);
            return madeUpScores(request, /*isPart=*/false);
        }
        const MadeUpAnalyses analyses(
            request, [](const service::SideRequest& side) { return result(side, Places(side), 0, false); },
            [](const service::SideRequest& side, HeadId head) {
                return weights(side, head, Places(side), false);
            });
        if (onPart && request.kind == service::AnalysisKind::Sweep)
            onPart(analyses.sweep(/*isPartial=*/true));
        if (onPart && request.kind == service::AnalysisKind::Circuit)
            onPart(analyses.circuit(/*isPartial=*/true));
        else if (request.kind == service::AnalysisKind::History)
            onPart(analyses.history(/*isPartial=*/true));
        pass(Call::Analysis, hooks);
        return analyses.result();
    });
}

Result<service::FeatureLabels> FakeBackend::keepLabels(const std::shared_ptr<const service::OpenModel>&,
                                                       const std::string&,
                                                       const service::FeatureLabels& labels, const Hooks&)
{
    const std::lock_guard lock(m_mutex);
    service::FeatureLabels before;
    for (const auto& [feature, label] : labels) {
        before[feature] = m_labels[feature];
        m_labels[feature] = label;
    }
    std::erase_if(m_labels, [](const auto& entry) { return entry.second.empty(); });
    return before;
}

Result<analyses::DeviceCheck> FakeBackend::checkDevice(const std::shared_ptr<const service::OpenModel>& model,
                                                       const std::vector<std::int64_t>& tokens,
                                                       const Hooks& hooks)
{
    return guarded([&] {
        pass(Call::Check, hooks);
        analyses::DeviceCheck check;
        check.layers = model->heads.layers;
        if (tokens.size() > analyses::kCheckedTokens)
            fail(ErrorCode::BadRequest, "Too many tokens.");
        if (model->request.source.find("+broken") != std::string::npos)
            check.beyond = {HeadId{2, 3}, 1.4, 0.02};
        return check;
    });
}

service::FeatureLabels FakeBackend::labels()
{
    const std::lock_guard lock(m_mutex);
    return m_labels;
}

}  // namespace hs::test
