#include "control/work/worker.h"

#include "support/catch.h"
#include "ui/fake_backend.h"

#include <QCoreApplication>
#include <QEventLoop>

#include <atomic>
#include <latch>

using namespace hs;
using test::FakeBackend;

namespace {

/// A Worker whose tasks return numbers, and the numbers delivered.
struct Numbers {
    std::unique_ptr<control::Worker> worker =
        std::make_unique<control::Worker>(std::make_unique<FakeBackend>());
    std::vector<int> delivered;

    void post(int slot, int number, WorkQueue::Running running = WorkQueue::Running::Finish)
    {
        worker->post<int>(
            {slot, QStringLiteral("counting"), /*isQuiet=*/false, running},
            [number](service::Backend&, const Hooks&) { return Result<int>(number); },
            [this](const Result<int>& result) { delivered.push_back(*result); });
    }
    /// Returns when the worker is done with what was posted, before its results are delivered.
    void join()
    {
        std::latch done(1);
        worker->post<int>(
            {99, QString(), /*isQuiet=*/true, WorkQueue::Running::Finish},
            [&done](service::Backend&, const Hooks&) {
                done.count_down();
                return Result<int>(0);
            },
            [](const Result<int>&) {});
        done.wait();
    }
};

}  // namespace

TEST_CASE("a result already under way to the window is dropped when it is no longer wanted")
{
    Numbers numbers;
    numbers.post(0, 1);
    numbers.join();
    SECTION("because a task that cancels it was posted")
    {
        numbers.post(0, 2, WorkQueue::Running::Cancel);
        numbers.join();
        QCoreApplication::processEvents();
        CHECK(numbers.delivered == std::vector<int>{2});
    }
    SECTION("because its slot was cancelled")
    {
        numbers.worker->cancel(0);
        QCoreApplication::processEvents();
        CHECK(numbers.delivered.empty());
    }
    SECTION("because the worker is gone")
    {
        numbers.worker.reset();
        QCoreApplication::processEvents();
        CHECK(numbers.delivered.empty());
    }
    SECTION("but not because a task that lets it finish was posted")
    {
        numbers.post(0, 2);
        numbers.join();
        QCoreApplication::processEvents();
        CHECK(numbers.delivered == std::vector<int>{1, 2});
    }
    SECTION("nor because of another slot")
    {
        numbers.post(1, 2, WorkQueue::Running::Cancel);
        numbers.join();
        QCoreApplication::processEvents();
        CHECK(numbers.delivered == std::vector<int>{1, 2});
    }
}

TEST_CASE("the worker is busy from the moment a task is posted until its result is there")
{
    Numbers numbers;
    std::vector<bool> told;
    QObject::connect(numbers.worker.get(), &control::Worker::activityChanged, numbers.worker.get(),
                     [&] { told.push_back(numbers.worker->activity().isBusy); });
    CHECK_FALSE(numbers.worker->isPending(0));
    numbers.post(0, 1);
    CHECK(numbers.worker->isPending(0));
    CHECK(numbers.worker->activity() == control::Activity{true, QStringLiteral("counting"), 0, 0});
    numbers.join();
    CHECK(numbers.worker->isPending(0));
    QCoreApplication::processEvents();
    CHECK_FALSE(numbers.worker->isPending(0));
    CHECK(told == std::vector<bool>{true, false});
}

TEST_CASE("long work tells how far it is, without a message for every step")
{
    constexpr int kSteps = 100000;
    Numbers numbers;
    int told = 0;
    std::atomic<bool> isSeen = false;
    QEventLoop loop;
    QObject::connect(numbers.worker.get(), &control::Worker::activityChanged, &loop, [&] {
        ++told;
        isSeen = isSeen || numbers.worker->activity().done > 0;
    });
    numbers.worker->post<int>(
        {0, QString(), /*isQuiet=*/true, WorkQueue::Running::Finish},
        [&](service::Backend&, const Hooks& hooks) {
            for (int step = 1; step <= kSteps || !isSeen; ++step)
                hooks.report(step, step + 1);
            return Result<int>(0);
        },
        [&](const Result<int>&) { loop.quit(); });
    CHECK_FALSE(numbers.worker->activity().isBusy);  // quiet until it takes a while
    loop.exec();
    CHECK(told < kSteps / 100);
}

TEST_CASE("whatever a task throws comes back as an error")
{
    Numbers numbers;
    std::optional<Error> error;
    numbers.worker->post<int>(
        {0, QString(), true, WorkQueue::Running::Finish},
        [](service::Backend&, const Hooks&) -> Result<int> { throw std::bad_alloc(); },
        [&](const Result<int>& result) { error = result.error(); });
    numbers.join();
    QCoreApplication::processEvents();
    REQUIRE(error);
    CHECK_FALSE(error->message.empty());
}

TEST_CASE("what is disposed of goes on the worker's thread")
{
    Numbers numbers;
    std::thread::id diedOn;
    numbers.worker->dispose(std::shared_ptr<const int>(new int(1), [&](const int* number) {
        diedOn = std::this_thread::get_id();
        delete number;
    }));
    numbers.join();
    CHECK(diedOn != std::this_thread::get_id());
    CHECK(diedOn != std::thread::id());
}

TEST_CASE("how long work will take follows from its speed since it began, wherever that was")
{
    using Seconds = control::Activity::Seconds;
    control::Activity activity;
    activity.isBusy = true;
    const auto start = control::Activity::Clock::now();
    CHECK_FALSE(activity.left(start));
    activity.since = start;
    activity.first = activity.done = 20;
    activity.total = 28;
    activity.reported = start;
    CHECK_FALSE(activity.left(start));  // no layer is done
    activity.done = 22;
    activity.reported = start + std::chrono::seconds(4);
    CHECK(activity.left(activity.reported) == Seconds(12));
    CHECK(activity.left(activity.reported + std::chrono::seconds(1)) == Seconds(11));
    CHECK(activity.left(activity.reported + std::chrono::hours(1)) == Seconds(0));
    activity.done = 28;
    CHECK_FALSE(activity.left(activity.reported));
}
