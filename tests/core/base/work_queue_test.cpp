#include "base/work_queue.h"

#include "support/catch.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <latch>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using namespace hs;

namespace {

using Running = WorkQueue::Running;

/// Keeps the queue's thread busy with a job in one slot, from construction to `open`.
class Gate {
public:
    Gate(WorkQueue& queue, int slot) : m_shared(std::make_shared<Shared>())
    {
        queue.post(slot, [shared = m_shared](std::stop_token stop) {
            shared->token = std::move(stop);
            shared->started.count_down();
            shared->opened.wait();
        });
        m_shared->started.wait();
    }
    ~Gate() { open(); }

    std::stop_token token() const { return m_shared->token; }
    bool isAskedToStop() const { return m_shared->token.stop_requested(); }
    void open()
    {
        if (!std::exchange(m_isOpen, true))
            m_shared->opened.count_down();
    }

private:
    /// Lives as long as the job, which may still be leaving `wait` when the gate is destroyed.
    struct Shared {
        std::latch started{1};
        std::latch opened{1};
        std::stop_token token;
    };

    std::shared_ptr<Shared> m_shared;
    bool m_isOpen = false;
};

/// Waits until the queue has done everything.
void drain(WorkQueue& queue)
{
    constexpr int kLastSlot = 1'000'000;
    const auto done = std::make_shared<std::latch>(1);
    // Patient: an urgent job would run before the rest of one that gives way.
    queue.post(
        kLastSlot, [done](std::stop_token) { done->count_down(); }, Running::Finish,
        WorkQueue::Haste::Patient);
    done->wait();
}

}  // namespace

TEST_CASE("the last job of a slot is done and those it replaced never run")
{
    std::vector<int> ran;
    WorkQueue queue;
    Gate gate(queue, 0);
    for (int number = 0; number < 500; ++number)
        queue.post(1, [&ran, number](std::stop_token) { ran.push_back(number); });
    gate.open();
    drain(queue);
    CHECK(ran == std::vector<int>{499});
}

TEST_CASE("slots are served oldest first and a newer job takes the older one's place")
{
    std::vector<std::string> ran;
    WorkQueue queue;
    Gate gate(queue, 0);
    const auto post = [&](int slot, const char* name) {
        queue.post(slot, [&ran, name](std::stop_token) { ran.emplace_back(name); });
    };
    post(1, "old one");
    post(2, "two");
    post(1, "one");
    post(0, "zero");
    gate.open();
    drain(queue);
    CHECK(ran == std::vector<std::string>{"one", "two", "zero"});
}

TEST_CASE("a posted job asks the running one to stop only in its own slot and only when told to")
{
    WorkQueue queue;
    Gate gate(queue, 3);
    queue.post(3, [](std::stop_token) {});
    CHECK_FALSE(gate.isAskedToStop());
    queue.post(4, [](std::stop_token) {}, Running::Cancel);
    CHECK_FALSE(gate.isAskedToStop());
    queue.post(3, [](std::stop_token) {}, Running::Cancel);
    CHECK(gate.isAskedToStop());
}

TEST_CASE("a stopped job's token does not reach the next job")
{
    WorkQueue queue;
    bool isAskedToStop = true;
    Gate gate(queue, 0);
    queue.post(0, [&](std::stop_token stop) { isAskedToStop = stop.stop_requested(); }, Running::Cancel);
    gate.open();
    drain(queue);
    CHECK_FALSE(isAskedToStop);
}

TEST_CASE("cancelling a slot drops its waiting job, stops its running one and leaves the others alone")
{
    std::vector<int> ran;
    WorkQueue queue;
    Gate gate(queue, 0);
    for (const int slot : {0, 1, 2})
        queue.post(slot, [&ran, slot](std::stop_token) { ran.push_back(slot); });
    queue.cancel(1);
    CHECK_FALSE(gate.isAskedToStop());
    queue.cancel(0);
    CHECK(gate.isAskedToStop());
    gate.open();
    drain(queue);
    CHECK(ran == std::vector<int>{2});
}

TEST_CASE("cancelling everything drops all that waits and asks the running job to stop")
{
    std::atomic<int> ran = 0;
    WorkQueue queue;
    Gate gate(queue, 0);
    for (int slot = 0; slot < 5; ++slot)
        queue.post(slot, [&](std::stop_token) { ++ran; });
    queue.cancelAll();
    CHECK(gate.isAskedToStop());
    gate.open();
    drain(queue);
    CHECK(ran == 0);
}

TEST_CASE("a queue that goes stops its running job, drops the waiting ones and waits")
{
    std::atomic<bool> isDone = false;
    std::atomic<bool> ranLater = false;
    std::latch started{1};
    {
        WorkQueue queue;
        queue.post(0, [&](std::stop_token stop) {
            std::latch stopped{1};
            const std::stop_callback onStop(stop, [&] { stopped.count_down(); });
            started.count_down();
            stopped.wait();
            isDone = true;
        });
        started.wait();
        queue.post(1, [&](std::stop_token) { ranLater = true; });
    }
    CHECK(isDone);
    CHECK_FALSE(ranLater);
}

TEST_CASE("ten thousand posts hold no more than one waiting job a slot")
{
    struct Counted {
        explicit Counted(std::atomic<int>& count) : alive(count) { ++alive; }
        ~Counted() { --alive; }
        std::atomic<int>& alive;
    };
    std::atomic<int> alive = 0;
    int most = 0;
    WorkQueue queue;
    {
        Gate gate(queue, 9);
        for (int number = 0; number < 10'000; ++number) {
            queue.post(
                number % 3, [counted = std::make_shared<Counted>(alive)](std::stop_token) {},
                Running::Cancel);
            most = std::max(most, alive.load());
        }
    }
    CHECK(most == 3);
    drain(queue);
    CHECK(alive == 0);
}

TEST_CASE("a job that throws is dropped and the next one runs")
{
    WorkQueue queue;
    Gate gate(queue, 0);
    queue.post(1, [](std::stop_token) { throw std::runtime_error("broken"); });
    queue.post(2, {});
    bool ran = false;
    queue.post(3, [&](std::stop_token) { ran = true; });
    gate.open();
    drain(queue);
    CHECK(ran);
}

TEST_CASE("a job's remains and its stop callback may use the queue")
{
    WorkQueue queue;
    int used = 0;
    const auto use = [&] {
        queue.cancel(5);
        ++used;
    };
    Gate gate(queue, 0);
    for (int number = 0; number < 3; ++number)
        queue.post(1, [remains = std::shared_ptr<void>(nullptr, [&](void*) { use(); })](std::stop_token) {});
    CHECK(used == 2);
    queue.cancel(1);
    CHECK(used == 3);
    const std::stop_callback onStop(gate.token(), use);
    queue.post(0, {}, Running::Cancel);
    CHECK(used == 4);
}

TEST_CASE("jobs may post, cancel and be posted from any thread")
{
    std::atomic<int> ran = 0;
    WorkQueue queue;
    queue.post(7, [&](std::stop_token) {
        queue.cancel(7);
        queue.post(8, [&](std::stop_token) { ++ran; });
    });
    drain(queue);
    drain(queue);
    CHECK(ran == 1);

    std::array<std::atomic<int>, 4> last{};
    {
        std::vector<std::jthread> threads;
        for (int slot = 0; slot < 4; ++slot)
            threads.emplace_back([&, slot] {
                for (int number = 1; number <= 1000; ++number)
                    queue.post(
                        slot, [&last, slot, number](std::stop_token) { last[slot] = number; },
                        number % 2 ? Running::Cancel : Running::Finish);
            });
    }
    drain(queue);
    for (const std::atomic<int>& number : last)
        CHECK(number == 1000);
}

TEST_CASE("a patient job that gives way lets urgent jobs go first, patient ones wait")
{
    WorkQueue queue;
    std::vector<std::string> done;  // only used by the queue's thread until it is drained
    std::latch isPosted{1};
    queue.post(
        0,
        [&](std::stop_token) {
            isPosted.wait();
            done.push_back("first half");
            queue.giveWay();
            done.push_back("second half");
        },
        Running::Finish, WorkQueue::Haste::Patient);
    queue.post(
        1, [&](std::stop_token) { done.push_back("patient"); }, Running::Finish, WorkQueue::Haste::Patient);
    queue.post(2, [&](std::stop_token) { done.push_back("urgent"); });
    queue.post(3, [&](std::stop_token) { done.push_back("urgent, too"); });
    isPosted.count_down();
    drain(queue);
    CHECK(done == std::vector<std::string>{"first half", "urgent", "urgent, too", "second half", "patient"});
}

TEST_CASE("a job that gave way and the one it gave way to are stopped each by its own slot")
{
    WorkQueue queue;
    std::array<bool, 2> areStopped{};
    std::latch isPosted{1}, isInside{1}, isCancelled{1};
    queue.post(
        0,
        [&](std::stop_token stop) {
            isPosted.wait();
            queue.giveWay();
            areStopped[0] = stop.stop_requested();
        },
        Running::Finish, WorkQueue::Haste::Patient);
    queue.post(1, [&](std::stop_token stop) {
        isInside.count_down();
        isCancelled.wait();
        areStopped[1] = stop.stop_requested();
    });
    isPosted.count_down();
    isInside.wait();
    queue.cancel(0);
    isCancelled.count_down();
    drain(queue);
    CHECK(areStopped == std::array{true, false});
}
