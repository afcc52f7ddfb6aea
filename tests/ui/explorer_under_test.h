#pragma once

#include "control/explorer.h"
#include "ui/fake_backend.h"

#include <functional>
#include <vector>

namespace hs::test {

/// Runs the event loop until the condition holds, woken by the Explorer's signals; fails the test
/// when it never does.
void waitUntil(Explorer& explorer, const std::function<bool()>& condition);

/// Until nothing is under way and what is shown is what is asked for.
void waitUntilIdle(Explorer& explorer);

/// The tiles a side shows. [layer, head, row, column]
std::vector<std::uint8_t> shownTiles(const Explorer& explorer, Side side);

/// An Explorer on made up models, and what it said.
class ExplorerUnderTest {
public:
    explicit ExplorerUnderTest(Preferences preferences = {});

    /// Both models open and run on the prompt, the history empty.
    void start(const QString& left = QStringLiteral("fake:4x6"),
               const QString& right = QStringLiteral("fake:4x6+gate"),
               const QString& prompt = QStringLiteral("When Mary and John went to the store"));
    void setPrompt(const QString& prompt);
    const SideState& left() const { return explorer->state(Side::Left); }
    const SideState& right() const { return explorer->state(Side::Right); }

    FakeBackend* fake = nullptr;  // the Explorer's
    std::unique_ptr<Explorer> explorer;
    std::vector<Message> messages;
};

}  // namespace hs::test
