#pragma once

#include "control/explorer/explorer.h"
#include "ui/fake_backend.h"

#include <functional>
#include <vector>

namespace hs::test {

/// Runs the event loop until the condition holds, woken by the Explorer's signals; fails the test if it
/// never does.
void waitUntil(control::Explorer& explorer, const std::function<bool()>& condition);

/// Waits until nothing is under way and what is shown is what was requested.
void waitUntilIdle(control::Explorer& explorer);

/// One step of the history.
void edit(control::Explorer& explorer, const std::function<void(control::Document&)>& change);

/// The tiles a side shows. [layer, head, row, column]
std::vector<std::uint8_t> shownTiles(const control::Explorer& explorer, Side side);

/// An Explorer on made-up models, and its messages.
class ExplorerUnderTest {
public:
    explicit ExplorerUnderTest(control::Preferences preferences = {});

    /// Opens both models and runs them on the prompt; the history is empty afterwards.
    void start(const QString& left = QStringLiteral("fake:4x6"),
               const QString& right = QStringLiteral("fake:4x6+gate"),
               const QString& prompt = QStringLiteral("When Mary and John went to the store"));
    void setPrompt(const QString& prompt);
    const control::SideState& left() const { return explorer->state(Side::Left); }
    const control::SideState& right() const { return explorer->state(Side::Right); }

    FakeBackend* fake = nullptr;  // the Explorer's
    std::unique_ptr<control::Explorer> explorer;
    std::vector<control::Message> messages;
};

}  // namespace hs::test
