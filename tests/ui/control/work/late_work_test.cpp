#include "control/work/late_work.h"

#include "support/catch.h"

#include <QTest>
#include <QThread>

#include <atomic>
#include <latch>
#include <memory>
#include <new>
#include <vector>

using namespace hs;

namespace {

/// Work that reports when it has begun and continues once it may.
struct HeldWork {
    std::latch hasBegun{1};
    std::latch mayGoOn{1};

    void operator()()
    {
        hasBegun.count_down();
        mayGoOn.wait();
    }
};

bool becomesDone(const control::LateWork& work)
{
    return QTest::qWaitFor([&] { return work.isDone(); });
}

}  // namespace

TEST_CASE("late work is done on another thread and handed over on this one")
{
    QObject owner;
    control::LateWork work(&owner);
    CHECK(work.isDone());
    QThread* worked = nullptr;
    QThread* took = nullptr;
    work.ask([&]() -> control::LateWork::Take {
        worked = QThread::currentThread();
        return [&] { took = QThread::currentThread(); };
    });
    CHECK_FALSE(work.isDone());
    CHECK_FALSE(control::LateWork::isDoneIn(owner));
    REQUIRE(becomesDone(work));
    CHECK(control::LateWork::isDoneIn(owner));
    CHECK(worked != QThread::currentThread());
    CHECK(took == QThread::currentThread());
}

TEST_CASE("what is asked for replaces what waits, and the last is always done")
{
    control::LateWork work(nullptr);
    HeldWork held;
    std::vector<int> taken;
    const auto number = [&](int value) { return [&, value] { taken.push_back(value); }; };
    work.ask([&]() -> control::LateWork::Take {
        held();
        return number(0);
    });
    held.hasBegun.wait();
    for (int value = 1; value <= 5; ++value)
        work.ask([&, value]() -> control::LateWork::Take { return number(value); });
    held.mayGoOn.count_down();
    REQUIRE(becomesDone(work));
    CHECK(taken == std::vector{0, 5});
}

TEST_CASE("late work under other keys waits beside it, one under each key")
{
    control::LateWork work(nullptr);
    HeldWork held;
    std::vector<int> taken;
    work.ask([&]() -> control::LateWork::Take {
        held();
        return [] {};
    });
    held.hasBegun.wait();
    std::atomic<int> done = 0;
    for (int value = 0; value < 300; ++value)
        work.ask(
            [&, value]() -> control::LateWork::Take {
                ++done;
                return [&, value] { taken.push_back(value); };
            },
            1 + value % 3);
    held.mayGoOn.count_down();
    REQUIRE(becomesDone(work));
    CHECK(done == 3);
    CHECK(taken == std::vector{297, 298, 299});
}

TEST_CASE("late work that was cancelled, or whose owner is gone, is handed to nobody")
{
    bool isTaken = false;
    for (const bool isCancelled : {true, false}) {
        auto work = std::make_unique<control::LateWork>(nullptr);
        HeldWork held;
        work->ask([&]() -> control::LateWork::Take {
            held();
            return [&] { isTaken = true; };
        });
        held.hasBegun.wait();
        if (isCancelled) {
            work->cancel();
            CHECK(work->isDone());
            held.mayGoOn.count_down();
        } else {
            held.mayGoOn.count_down();
            work.reset();
        }
        QTest::qWait(20);
        CHECK_FALSE(isTaken);
    }
}

TEST_CASE("late work that fails is done, and leaves what there was")
{
    control::LateWork work(nullptr);
    work.ask([]() -> control::LateWork::Take { throw std::bad_alloc(); });
    CHECK(becomesDone(work));
}
