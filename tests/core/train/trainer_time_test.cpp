#include "tiny_training.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <sstream>

using namespace hs;

namespace {

std::vector<train::CurvePoint> curveOf(const train::Job& job, std::stop_token stop = {})
{
    std::vector<train::CurvePoint> curve;
    test::value(
        train::train(job, [&](const train::CurvePoint& point) { curve.push_back(point); }, std::move(stop)));
    return curve;
}

train::Job timedJob(const std::filesystem::path& out)
{
    train::Job job = test::tinyJob(out);
    job.limit = train::TimeLimit{.minutes = 0.02, .spent = 0, .given = {}};
    return job;
}

/// Counts up, and notes in which order it is asked.
class Noting : public test::Counting {
public:
    void prepare(std::int64_t step) override
    {
        const std::scoped_lock lock(m_mutex);
        m_prepared.push_back(step);
    }
    train::Batch training(std::int64_t step) const override
    {
        const std::scoped_lock lock(m_mutex);
        m_isInOrder = m_isInOrder && !m_prepared.empty() && m_prepared.back() == step;
        return Counting::training(step);
    }
    const std::vector<std::int64_t>& prepared() const { return m_prepared; }
    bool isInOrder() const { return m_isInOrder; }

private:
    mutable std::mutex m_mutex;
    std::vector<std::int64_t> m_prepared;
    mutable bool m_isInOrder = true;
};

}  // namespace

TEST_CASE("the data are prepared for each step before its batch is made, and for no step beyond the last")
{
    const test::TempDir folder;
    train::Job job = test::tinyJob(folder.path());
    const auto data = std::make_shared<Noting>();
    job.data = data;
    job.options.steps = 7;
    test::value(train::train(job, {}, {}));
    CHECK(data->prepared() == std::vector<std::int64_t>{0, 1, 2, 3, 4, 5, 6});
    CHECK(data->isInOrder());
}

TEST_CASE("a limit of time decides the number of steps, says so, and makes as many")
{
    const test::TempDir folder;
    const std::vector<train::CurvePoint> curve = curveOf(timedJob(folder.path()));
    const auto decided =
        std::ranges::find_if(curve, [](const train::CurvePoint& point) { return !point.notes.empty(); });
    REQUIRE(decided != curve.end());
    CHECK(decided->notes.front().find("There is time for") != std::string::npos);
    CHECK(decided->heldOut.has_value());
    CHECK(decided->steps > decided->step);
    CHECK(curve.back().step == decided->steps);
    CHECK(curve.back().steps == decided->steps);
    CHECK(std::filesystem::exists(folder / "model.safetensors"));
}

TEST_CASE("first steps do not depend on how many there will be")
{
    const test::TempDir first;
    const test::TempDir second;
    train::Job brief = timedJob(first.path());
    train::Job lengthy = timedJob(second.path());
    lengthy.limit->minutes = 0.03;
    const auto untilDecided = [](train::Job job) {
        job.limit->given.measureEvery = 1;
        std::vector<double> losses;
        for (const train::CurvePoint& point : curveOf(job))
            if (point.steps == 0)
                losses.push_back(point.loss);
        return losses;
    };
    std::vector<double> one = untilDecided(brief);
    std::vector<double> other = untilDecided(lengthy);
    const std::size_t both = std::min(one.size(), other.size());  // slow steps are timed no longer
    REQUIRE(both > 0);
    one.resize(both);
    other.resize(both);
    CHECK(one == other);
}

TEST_CASE("a training with a limit of time is resumed with the steps that were decided, to the same bits")
{
    const test::TempDir folder;
    const test::TempDir twice;
    std::stop_source stop;
    std::int64_t steps = 0;
    const auto stopLater = [&](const train::CurvePoint& point) {
        steps = point.steps;
        if (steps > 0)
            stop.request_stop();
    };
    const train::Outcome stopped =
        test::value(train::train(timedJob(folder.path()), stopLater, stop.get_token()));
    REQUIRE(stopped.wasStopped);
    REQUIRE(stopped.planned == steps);
    std::filesystem::copy(folder.path(), twice.path(), std::filesystem::copy_options::recursive);
    for (const std::filesystem::path& out : {folder.path(), twice.path()}) {
        train::Job rest = timedJob(out);
        rest.resumes = true;
        const train::Outcome outcome = test::value(train::train(rest, {}, {}));
        CHECK(outcome.steps == steps);
        CHECK(outcome.planned == steps);
    }
    CHECK(test::bytesOf(folder / "model.safetensors") == test::bytesOf(twice / "model.safetensors"));
    train::Job other = timedJob(folder.path());
    other.resumes = true;
    other.limit->minutes = 5;
    CHECK_FALSE(train::train(other, {}, {}));
}

TEST_CASE("a training that has no time left ends after one step more")
{
    const test::TempDir folder;
    train::Job job = timedJob(folder.path());
    job.limit->spent = 3600;
    const std::vector<train::CurvePoint> curve = curveOf(job);
    CHECK(curve.back().step == curve.back().steps);
    CHECK(curve.back().step <= 29);
}

TEST_CASE("a tolerance that stays out of reach is said on the curve")
{
    const test::TempDir dense;
    const test::TempDir sparse;
    train::Job job = test::sparseJob(test::trained(dense.path()), sparse.path());
    job.options.measureEvery = 2;
    job.options.steps = 40;
    job.options.sparsity->tolerance = 1e-9;
    int said = 0;
    for (const train::CurvePoint& point : curveOf(job))
        for (const std::string& note : point.notes)
            said += note.find("out of reach") != std::string::npos;
    CHECK(said == 1);
}

TEST_CASE("a sparse model comes with a card, a dense one without")
{
    const test::TempDir dense;
    const test::TempDir sparse;
    train::Job job = test::sparseJob(test::trained(dense.path()), sparse.path());
    job.names.base = "counter";
    test::value(train::train(job, {}, {}));
    CHECK(test::bytesOf(sparse / "README.md").find("# counter, made sparse") != std::string::npos);
    CHECK_FALSE(std::filesystem::exists(dense / "README.md"));
}
