#include "train/measure_tensors.h"

#include "train/passages.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <span>

namespace hs::train {
namespace {

// Limits of a portion that is run at once: its rows, and the numbers in its logits.
constexpr std::int64_t kMostRows = 256;
constexpr std::int64_t kMostLogits = std::int64_t{1} << 26;

/// Some rows of a held-out batch, without the padding that none of them needs.
HeldOutBatch portionOf(const HeldOutBatch& whole, std::span<const int> rows)
{
    const Batch& from = whole.batch;
    HeldOutBatch part;
    Batch& to = part.batch;
    to.rows = static_cast<int>(rows.size());
    for (const int row : rows)
        to.length = std::max(to.length, static_cast<int>(from.lengths[row]));
    std::map<int, int> placeOf;  // row of the whole → row of the part
    for (const int row : rows) {
        placeOf[row] = static_cast<int>(to.lengths.size());
        const std::ptrdiff_t begin = static_cast<std::ptrdiff_t>(row) * from.length;
        to.tokens.insert(to.tokens.end(), from.tokens.begin() + begin,
                         from.tokens.begin() + begin + to.length);
        to.weights.insert(to.weights.end(), from.weights.begin() + begin,
                          from.weights.begin() + begin + to.length);
        to.lengths.push_back(from.lengths[row]);
        to.groups.push_back(from.groups[row]);
    }
    for (Answer answer : whole.answers)
        if (const auto place = placeOf.find(answer.row); place != placeOf.end()) {
            answer.row = place->second;
            part.answers.push_back(answer);
        }
    return part;
}

/// The first `length` tokens of all rows that have so many.
std::vector<HeldOutBatch> cutTo(const std::vector<HeldOutBatch>& heldOut, int length)
{
    std::vector<HeldOutBatch> cut;
    for (HeldOutBatch whole : heldOut) {
        std::vector<int> rows;
        for (int row = 0; row < whole.batch.rows; ++row)
            if (whole.batch.lengths[row] >= length) {
                whole.batch.lengths[row] = length;
                rows.push_back(row);
            }
        if (rows.empty())
            continue;
        cut.push_back(portionOf(whole, rows));
        Batch& batch = cut.back().batch;
        for (int row = 1; row <= batch.rows; ++row)
            batch.weights[static_cast<std::size_t>(row) * length - 1] = 0;  // what follows was cut off
    }
    return cut;
}

/// Rows sorted by length, so that little of what is run is padding.
std::vector<int> rowsByLength(const Batch& batch)
{
    std::vector<int> rows(batch.rows);
    std::iota(rows.begin(), rows.end(), 0);
    std::ranges::stable_sort(rows, {}, [&](int row) { return batch.lengths[row]; });
    return rows;
}

/// A portion on a model's device.
struct PortionTensors {
    BatchTensors batch;
    engine::DecoderFrame frame;

    PortionTensors(const MeasuredModel& model, const Batch& from, int groups)
        : batch(from, groups, model.weights[model::Role::Embedding].device()),
          frame(model.spec, from.length, model.weights[model::Role::Embedding].device())
    {
    }
};

Forward run(const MeasuredModel& model, const PortionTensors& portion, Operations operations)
{
    const at::Device device = model.weights[model::Role::Embedding].device();
    std::optional<TrainingGate> gate;
    if (model.gateBias)
        gate =
            TrainingGate{false, at::full({1}, *model.gateBias, at::TensorOptions(at::kFloat).device(device)),
                         at::Tensor(), 0};
    return forward(model.spec, model.weights, portion.batch, portion.frame, gate, operations, model.mlp);
}

/// Accumulates the measure of one model portion by portion.
class Measurer {
public:
    Measurer(const MeasuredModel& model, const std::vector<std::string>& groups, Operations operations)
        : m_model(model), m_operations(operations), m_groupCount(static_cast<int>(groups.size())),
          m_headActive(at::zeros({model.spec.layers, model.spec.heads}, at::kDouble)),
          m_everActive(at::zeros({model.spec.layers, model.spec.heads}, at::kBool))
    {
        for (const std::string& name : groups) {
            m_result.groups.push_back({});
            m_result.groups.back().name = name;
            m_result.groups.back().agreement = 0;
        }
        m_weight.resize(groups.size());
    }

    /// What the model made of a portion; `wanted`: the dense model's logits, if there is one.
    void add(const Forward& forward, const at::Tensor& wanted, const BatchTensors& batch,
             const HeldOutBatch& portion)
    {
        addLosses(forward.logits, wanted, batch);
        addAnswers(forward.logits, portion);
        if (forward.active.defined())
            addGates(forward, batch);
        m_rows += portion.batch.rows;
    }

    /// Adds what other workers took.
    void join(const Workers& workers)
    {
        if (!workers.isGroup())
            return;
        std::vector<double> numbers;
        forEachSum([&](auto& number) { numbers.push_back(static_cast<double>(number)); });
        const at::Tensor sums = at::tensor(numbers, at::kDouble);
        workers.sum(sums);
        workers.sum(m_headActive);
        const double* sum = sums.data_ptr<double>();
        forEachSum([&](auto& number) { number = static_cast<std::decay_t<decltype(number)>>(*sum++); });
        const at::Tensor most = at::cat(
            {m_everActive.view({-1}).to(at::kLong), at::full({1}, m_result.mostHeadsActive, at::kLong)});
        workers.most(most);
        m_everActive = most.narrow(0, 0, m_everActive.numel()).view_as(m_everActive).to(at::kBool);
        m_result.mostHeadsActive = static_cast<int>(most[-1].item<std::int64_t>());
    }

    HeldOutMeasure finish()
    {
        HeldOutMeasure& result = m_result;
        int present = 0;
        for (std::size_t group = 0; group < result.groups.size(); ++group) {
            GroupMeasure& measure = result.groups[group];
            measure.score = measure.answers > 0 ? measure.score / static_cast<double>(measure.answers) : NAN;
            if (m_weight[group] == 0)  // no row is long enough
                continue;
            ++present;
            measure.crossEntropy /= m_weight[group];
            measure.divergence /= m_weight[group];
            measure.agreement /= m_weight[group];
            result.crossEntropy += measure.crossEntropy;
            result.divergence += measure.divergence;
        }
        result.crossEntropy /= present;
        result.divergence /= present;
        result.heads = m_model.spec.layers * m_model.spec.heads;
        if (m_model.gateBias) {
            const at::Tensor shares = (m_headActive / m_cells).contiguous();
            result.headDensity.assign(shares.data_ptr<double>(), shares.data_ptr<double>() + result.heads);
            result.density = shares.mean().item<double>();
            result.expectedDensity = m_expected / (m_cells * result.heads);
            result.headsEverActive = static_cast<int>(m_everActive.sum().item<std::int64_t>());
            result.meanHeadsActive /= static_cast<double>(m_rows);
        } else {
            result.headDensity.assign(static_cast<std::size_t>(result.heads), 1.0);
            result.headsEverActive = result.mostHeadsActive = result.heads;
            result.meanHeadsActive = result.heads;
        }
        return result;
    }

private:
    template <class Visit>
    void forEachSum(Visit&& visit)
    {
        visit(m_expected);
        visit(m_cells);
        visit(m_rows);
        visit(m_result.meanHeadsActive);
        for (std::size_t group = 0; group < m_weight.size(); ++group) {
            GroupMeasure& measure = m_result.groups[group];
            visit(m_weight[group]);
            visit(measure.crossEntropy);
            visit(measure.divergence);
            visit(measure.agreement);
            visit(measure.score);
            visit(measure.answers);
        }
    }

    void addLosses(const at::Tensor& logits, const at::Tensor& wanted, const BatchTensors& batch)
    {
        const TokenLosses losses = tokenLosses(logits, wanted, batch.targets, m_operations);
        const auto perGroup = [&](const at::Tensor& rows) {  // [group] double, on the host
            return at::mv(batch.members, (rows.view_as(batch.weights) * batch.weights).sum(1))
                .to(at::kCPU, at::kDouble);
        };
        const at::Tensor weight = perGroup(at::ones_like(losses.crossEntropy));
        const at::Tensor crossEntropy = perGroup(losses.crossEntropy);
        const at::Tensor divergence =
            wanted.defined() ? perGroup(losses.divergence) : at::zeros_like(crossEntropy);
        const at::Tensor agreement =
            wanted.defined()
                ? perGroup(logits.argmax(-1).eq(wanted.argmax(-1)).to(losses.crossEntropy.scalar_type()))
                : weight;
        for (int group = 0; group < m_groupCount; ++group) {
            m_weight[group] += weight[group].item<double>();
            m_result.groups[group].agreement += agreement[group].item<double>();
            m_result.groups[group].crossEntropy += crossEntropy[group].item<double>();
            m_result.groups[group].divergence += divergence[group].item<double>();
        }
    }

    void addAnswers(const at::Tensor& logits, const HeldOutBatch& portion)
    {
        const auto count = static_cast<std::int64_t>(portion.answers.size());
        if (count == 0)
            return;
        at::Tensor asked = at::empty({3, count}, at::kLong);  // row of the logits, first, last
        for (std::int64_t index = 0; index < count; ++index) {
            const Answer& answer = portion.answers[index];
            asked[0][index] =
                static_cast<std::int64_t>(answer.row) * portion.batch.length + answer.position - 1;
            asked[1][index] = answer.first;
            asked[2][index] = answer.last;
        }
        asked = asked.to(logits.device());
        const at::Tensor rows = logits.index_select(0, asked[0]).to(at::kFloat);  // [answer, vocabulary]
        const at::Tensor tokens = at::arange(rows.size(1), asked.options()).unsqueeze(0);
        const at::Tensor isRight =
            tokens.ge(asked[1].unsqueeze(1)).logical_and(tokens.le(asked[2].unsqueeze(1)));
        const at::Tensor mass = (at::softmax(rows, -1) * isRight).sum(1);
        const at::Tensor hit = isRight.gather(1, rows.argmax(-1, /*keepdim=*/true)).squeeze(1).to(at::kFloat);
        const at::Tensor scores =
            at::where(asked[1].eq(asked[2]), hit, mass).to(at::kCPU, at::kDouble).contiguous();
        for (std::int64_t index = 0; index < count; ++index) {
            GroupMeasure& group = m_result.groups[portion.batch.groups[portion.answers[index].row]];
            group.score += scores.data_ptr<double>()[index];
            ++group.answers;
        }
    }

    void addGates(const Forward& forward, const BatchTensors& batch)
    {
        m_headActive += forward.active.sum(at::IntArrayRef{1}, /*keepdim=*/false, at::kDouble).to(at::kCPU);
        m_expected += forward.expected.sum(at::kDouble).item<double>();
        m_cells += batch.cells.item<double>();
        const at::Tensor isUsed = forward.active.gt(0).to(at::kCPU);  // [layer, prompt, head]
        m_everActive.logical_or_(isUsed.any(1));
        const at::Tensor perRow = isUsed.sum(at::IntArrayRef{0, 2});  // [prompt]
        m_result.mostHeadsActive =
            std::max(m_result.mostHeadsActive, static_cast<int>(perRow.max().item<std::int64_t>()));
        m_result.meanHeadsActive += perRow.sum().to(at::kDouble).item<double>();
    }

    const MeasuredModel& m_model;
    Operations m_operations;
    int m_groupCount;
    std::vector<double> m_weight;  // [group]
    double m_expected = 0;
    double m_cells = 0;  // of one head
    std::int64_t m_rows = 0;
    at::Tensor m_headActive;  // [layer, head] double, open cells
    at::Tensor m_everActive;  // [layer, head] bool
    HeldOutMeasure m_result;
};

/// Calls `take` for all rows in portions that fit, each with little padding.
template <class Take>
void forPortions(const std::vector<HeldOutBatch>& heldOut, std::int64_t vocabulary, const Hooks& hooks,
                 const Take& take)
{
    for (const HeldOutBatch& whole : heldOut) {
        const std::int64_t logitsPerRow = static_cast<std::int64_t>(whole.batch.length) * vocabulary;
        const std::int64_t atOnce = std::clamp<std::int64_t>(kMostLogits / logitsPerRow, 1, kMostRows);
        const std::vector<int> order = rowsByLength(whole.batch);
        for (std::span<const int> rest(order); !rest.empty();) {
            hooks.throwIfCancelled();
            hooks.report(static_cast<int>(order.size() - rest.size()), whole.batch.rows);
            const std::size_t count = std::min(rest.size(), static_cast<std::size_t>(atOnce));
            take(portionOf(whole, rest.first(count)));
            rest = rest.subspan(count);
        }
    }
}

}  // namespace

HeldOutMeasure measureHeldOut(const MeasuredModel& model, const MeasuredModel* dense,
                              const std::vector<HeldOutBatch>& heldOut,
                              const std::vector<std::string>& groups, Operations operations,
                              const Hooks& hooks, const Workers& workers)
{
    const c10::NoGradGuard fixed;
    Measurer measurer(model, groups, operations);
    int portions = 0;
    forPortions(heldOut, model.spec.vocabulary, hooks, [&](const HeldOutBatch& portion) {
        if (portions++ % workers.count() != workers.rank())
            return;
        const PortionTensors tensors(model, portion.batch, static_cast<int>(groups.size()));
        at::Tensor wanted;
        if (dense)
            wanted = run(*dense, tensors, operations).logits;
        measurer.add(run(model, tensors, operations), wanted, tensors.batch, portion);
    });
    measurer.join(workers);
    return measurer.finish();
}

std::vector<HeldOutBatch> someRows(const std::vector<HeldOutBatch>& heldOut, int mostRows)
{
    int all = 0;
    for (const HeldOutBatch& whole : heldOut)
        all += whole.batch.rows;
    const int every = std::max(1, (all + mostRows - 1) / std::max(1, mostRows));
    std::vector<HeldOutBatch> some;
    int row = 0;  // of all batches
    for (const HeldOutBatch& whole : heldOut) {
        std::vector<int> rows;
        for (int own = 0; own < whole.batch.rows; ++own, ++row)
            if (row % every == 0)
                rows.push_back(own);
        if (!rows.empty())
            some.push_back(portionOf(whole, rows));
    }
    return some;
}

PairMeasure measureBoth(const MeasuredModel& dense, const MeasuredModel& sparse,
                        const std::vector<HeldOutBatch>& heldOut, const std::vector<std::string>& groups,
                        Operations operations, const Hooks& hooks)
{
    const c10::NoGradGuard fixed;
    Measurer ofDense(dense, groups, operations);
    Measurer ofSparse(sparse, groups, operations);
    forPortions(heldOut, sparse.spec.vocabulary, hooks, [&](const HeldOutBatch& portion) {
        const int count = static_cast<int>(groups.size());
        const PortionTensors tensors(dense, portion.batch, count);
        const Forward wanted = run(dense, tensors, operations);
        ofDense.add(wanted, {}, tensors.batch, portion);
        // Their positions may be turned differently.
        const PortionTensors own(sparse, portion.batch, count);
        ofSparse.add(run(sparse, own, operations), wanted.logits, own.batch, portion);
    });
    return {ofDense.finish(), ofSparse.finish()};
}

std::vector<LengthMeasure> measureByLength(const MeasuredModel& model, const MeasuredModel& dense,
                                           const BatchSource& data, Operations operations)
{
    const std::vector<HeldOutBatch> whole = data.heldOut();
    if (std::ranges::any_of(whole, [](const HeldOutBatch& batch) { return !batch.answers.empty(); }))
        return {};
    std::vector<LengthMeasure> measures;
    for (const int length : kPassageLengths) {
        if (length > model.spec.context)
            break;
        std::vector<HeldOutBatch> rows = cutTo(whole, length);
        if (rows.empty())
            rows = data.longerHeldOut(length);
        if (rows.empty())
            continue;
        const HeldOutMeasure measure = measureHeldOut(model, &dense, rows, data.groups(), operations);
        measures.push_back({length, measure.density, measure.divergence, measure.mostHeadsActive});
    }
    return measures;
}

}  // namespace hs::train
