#include "ui/explorer_under_test.h"

#include "support/catch.h"

#include <QEventLoop>
#include <QTimer>

namespace hs::test {

void waitUntil(control::Explorer& explorer, const std::function<bool()>& condition)
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
    QObject::connect(&explorer, &control::Explorer::documentChanged, &loop, check);
    QObject::connect(&explorer, &control::Explorer::stateChanged, &loop, check);
    QObject::connect(&explorer, &control::Explorer::partChanged, &loop, check);
    QObject::connect(&explorer, &control::Explorer::activityChanged, &loop, check);
    QObject::connect(&explorer, &control::Explorer::mapReady, &loop, check);
    QObject::connect(&explorer, &control::Explorer::cellWeightsReady, &loop, check);
    QObject::connect(&explorer, &control::Explorer::messageRaised, &loop, check);
    while (!condition() && !hasGivenUp)
        loop.exec();
    REQUIRE_FALSE(hasGivenUp);
}

void waitUntilIdle(control::Explorer& explorer)
{
    waitUntil(explorer, [&] {
        const auto isAtRest = [&](Side side) {
            const control::SideState& state = explorer.state(side);
            return !state.isLoading && !state.isStale;
        };
        return isAtRest(Side::Left) && isAtRest(Side::Right) && !explorer.activity().isBusy;
    });
}

void edit(control::Explorer& explorer, const std::function<void(control::Document&)>& change)
{
    explorer.edit(QStringLiteral("Change"), change);
}

std::vector<std::uint8_t> shownTiles(const control::Explorer& explorer, Side side)
{
    const auto& run = explorer.state(side).run;
    REQUIRE(run);
    std::vector<std::uint8_t> tiles;
    for (int index = 0; index < run->after.heads.total(); ++index) {
        const std::uint8_t* const tile = run->after.tileOf(run->after.heads.at(index));
        tiles.insert(tiles.end(), tile, tile + run->after.tileRows * run->after.tileRows);
    }
    return tiles;
}

ExplorerUnderTest::ExplorerUnderTest(control::Preferences preferences)
{
    auto backend = std::make_unique<FakeBackend>();
    fake = backend.get();
    explorer = std::make_unique<control::Explorer>(std::move(backend), std::move(preferences));
    QObject::connect(explorer.get(), &control::Explorer::messageRaised, explorer.get(),
                     [this](const control::Message& message) { messages.push_back(message); });
}

void ExplorerUnderTest::start(const QString& left, const QString& right, const QString& prompt)
{
    control::Document document;
    document.side(Side::Left).model = left;
    document.side(Side::Right).model = right;
    control::setPrompt(document, prompt);
    // Places that do not depend on the room.
    document.arrangement = control::Arrangement::SideBySide;
    for (const Side side : kSides) {
        document.side(side).grid.flow = control::GridChoice::Flow::LayersDown;
        document.side(side).grid.blocks = 1;
    }
    explorer->reset(document);
    waitUntilIdle(*explorer);
}

void ExplorerUnderTest::setPrompt(const QString& prompt)
{
    explorer->edit(
        QStringLiteral("Type"), [&](control::Document& document) { control::setPrompt(document, prompt); },
        QStringLiteral("prompt"));
}

}  // namespace hs::test
