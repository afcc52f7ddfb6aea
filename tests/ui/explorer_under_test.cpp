#include "ui/explorer_under_test.h"

#include "support/catch.h"

#include <QEventLoop>
#include <QTimer>

namespace hs::test {

void waitUntil(Explorer& explorer, const std::function<bool()>& condition)
{
    constexpr int kPatience = 60000;
    QEventLoop loop;
    bool hasGivenUp = false;
    QTimer::singleShot(kPatience, &loop, [&] {
        hasGivenUp = true;
        loop.quit();
    });
    const auto check = [&] {
        if (condition())
            loop.quit();
    };
    QObject::connect(&explorer, &Explorer::documentChanged, &loop, check);
    QObject::connect(&explorer, &Explorer::stateChanged, &loop, check);
    QObject::connect(&explorer, &Explorer::activityChanged, &loop, check);
    QObject::connect(&explorer, &Explorer::mapReady, &loop, check);
    QObject::connect(&explorer, &Explorer::cellWeightsReady, &loop, check);
    QObject::connect(&explorer, &Explorer::messageRaised, &loop, check);
    while (!condition() && !hasGivenUp)
        loop.exec();
    REQUIRE_FALSE(hasGivenUp);
}

void waitUntilIdle(Explorer& explorer)
{
    waitUntil(explorer, [&] {
        const auto isAtRest = [&](Side side) {
            const SideState& state = explorer.state(side);
            return !state.isLoading && !state.isStale;
        };
        return isAtRest(Side::Left) && isAtRest(Side::Right) && !explorer.activity().isBusy;
    });
}

std::vector<std::uint8_t> shownTiles(const Explorer& explorer, Side side)
{
    const auto& run = explorer.state(side).run;
    REQUIRE(run);
    std::vector<std::uint8_t> tiles;
    for (int index = 0; index < run->after.heads.total(); ++index) {
        const std::uint8_t* const tile = run->after.tileOf(run->after.heads.at(index));
        tiles.insert(tiles.end(), tile, tile + run->after.tileSide * run->after.tileSide);
    }
    return tiles;
}

ExplorerUnderTest::ExplorerUnderTest(Preferences preferences)
{
    auto backend = std::make_unique<FakeBackend>();
    fake = backend.get();
    explorer = std::make_unique<Explorer>(std::move(backend), std::move(preferences));
    QObject::connect(explorer.get(), &Explorer::messageRaised, explorer.get(),
                     [this](const Message& message) { messages.push_back(message); });
}

void ExplorerUnderTest::start(const QString& left, const QString& right, const QString& prompt)
{
    Document document;
    document.side(Side::Left).model = left;
    document.side(Side::Right).model = right;
    document.prompt = prompt;
    explorer->reset(document);
    waitUntilIdle(*explorer);
}

void ExplorerUnderTest::setPrompt(const QString& prompt)
{
    explorer->edit(
        QStringLiteral("Type"), [&](Document& document) { document.prompt = prompt; },
        QStringLiteral("prompt"));
}

}  // namespace hs::test
