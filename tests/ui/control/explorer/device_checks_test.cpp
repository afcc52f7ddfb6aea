#include "support/catch.h"
#include "ui/explorer_under_test.h"

#include <QTest>

#include <algorithm>

using namespace hs;
using namespace hs::test;
using Call = FakeBackend::Call;

namespace {

/// The warnings that name a GPU's first wrong head.
std::ptrdiff_t warningsOfDevices(const ExplorerUnderTest& test)
{
    return std::ranges::count_if(test.messages, [](const control::Message& message) {
        return message.kind == control::Message::Kind::Warning &&
               message.text.contains(u"than on the processor");
    });
}

}  // namespace

TEST_CASE("a GPU that computes something else than the processor is a warning that names where, once")
{
    ExplorerUnderTest test;
    test.start(QStringLiteral("fake:4x6+broken"), QStringLiteral("fake:4x6"));
    waitUntil(*test.explorer, [&] { return warningsOfDevices(test) > 0; });
    const auto warning =
        std::ranges::find(test.messages, control::Message::Kind::Warning, &control::Message::kind);
    CHECK(warning->text.contains(QStringLiteral("from L2H3 on")));
    CHECK(warning->text.contains(QStringLiteral("Preferences")));
    test.setPrompt(QStringLiteral("another prompt of a few more words than eight, which are enough"));
    waitUntilIdle(*test.explorer);
    CHECK(test.fake->count(Call::Check) == 1);
    CHECK(warningsOfDevices(test) == 1);
}

TEST_CASE(
    "a GPU is compared with the processor after a model's first run on it, and what agrees says nothing")
{
    ExplorerUnderTest test;
    test.start(QStringLiteral("fake:4x6"), QStringLiteral("fake:4x6+gate"));
    waitUntilIdle(*test.explorer);
    CHECK(test.fake->count(Call::Check) == 0);
    test.explorer->openModel(Side::Left, QStringLiteral("fake:4x6+gpu"));
    REQUIRE(QTest::qWaitFor([&] { return test.fake->count(Call::Check) == 1; }));
    waitUntilIdle(*test.explorer);
    CHECK(test.left().run->request.model->hasGpu);
    CHECK(test.fake->count(Call::Check) == 1);
    CHECK(warningsOfDevices(test) == 0);
}

TEST_CASE("a check of a GPU that fails disturbs nobody")
{
    ExplorerUnderTest test;
    test.fake->failNext(Call::Check, {ErrorCode::TooLarge, "There is no room.", {}});
    test.start(QStringLiteral("fake:4x6+gpu"), QStringLiteral("fake:4x6"));
    REQUIRE(QTest::qWaitFor([&] { return test.fake->count(Call::Check) == 1; }));
    test.setPrompt(QStringLiteral("something else"));
    waitUntilIdle(*test.explorer);
    CHECK(test.messages.empty());
    CHECK(test.left().problem.isEmpty());
    CHECK(test.fake->count(Call::Check) == 1);
}
