#include "service/engine_backend.h"
#include "ui/explorer_under_test.h"

using namespace hs;
using namespace hs::test;

TEST_CASE("an Explorer on the engine: runs, ablates, and keeps its picture when the text is too long")
{
    control::Explorer explorer(std::make_unique<service::EngineBackend>(), {});
    std::vector<control::Message> messages;
    QObject::connect(&explorer, &control::Explorer::messageRaised, &explorer,
                     [&](const control::Message& message) { messages.push_back(message); });
    control::Document document;
    control::setPrompt(document,
                       QStringLiteral("When Mary and John went to the store , John gave a drink to"));
    for (const Side side : kSides)
        document.side(side).model = QStringLiteral("demo:dense");
    explorer.reset(document);
    waitUntilIdle(explorer);
    std::erase_if(messages, [](const control::Message& message) {
        return message.kind == control::Message::Kind::Note;
    });
    REQUIRE(explorer.state(Side::Left).run);
    CHECK(explorer.state(Side::Left).model->model == explorer.state(Side::Right).model->model);
    CHECK(explorer.hasSameTokens());

    explorer.toggleAblation(Side::Right, {{0, 1}, {2, 2}});
    waitUntilIdle(explorer);
    CHECK(shownTiles(explorer, Side::Right) != shownTiles(explorer, Side::Left));

    const auto before = explorer.state(Side::Left).run;
    explorer.edit(QStringLiteral("Type"), [](control::Document& edited) {
        control::setPrompt(edited, QStringLiteral("Mary ").repeated(100));
    });
    waitUntilIdle(explorer);
    CHECK(explorer.state(Side::Left).run == before);
    REQUIRE_FALSE(messages.empty());
    CHECK(messages[0].kind == control::Message::Kind::Error);
    CHECK(messages[0].text.contains(QStringLiteral("shorten")));
}
