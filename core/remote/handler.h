#pragma once

#include "base/hooks.h"
#include "remote/tree.h"

#include <functional>
#include <memory>

namespace hs::remote {

/// Answers the requests of one session, which is one client's, however often its line is lost. Requests wait in
/// the session's WorkQueue and are answered on its thread, one at a time:
///   "slot"     a newer request takes the place of a waiting one of the same slot, which fails as cancelled
///   "cancels"  it also stops the slot's running request, and drops what is left to send of an older answer
///   "patient"  urgent requests are answered in the middle of it, whenever it reports progress
///   "own"      it has a thread of its own instead; the slot is ignored
class Handler {
public:
    virtual ~Handler() = default;

    /// Throws Failure. What is found when `hooks.stop` is requested may be returned as far as it goes.
    /// `onPart` is for the same thread. With a thread of its own it waits while the client is far behind; else
    /// parts that nobody fetches may be lost in the end, the answer is not.
    virtual Tree answer(const Tree& request, const Hooks& hooks, const std::function<void(Tree)>& onPart) = 0;

    /// Nobody was here for a while, and nothing runs: gives back what is dear, such as memory of a GPU. Called
    /// on the worker thread; the next request may come at any time.
    virtual void rest() {}
};

/// Makes a session's own handler before its first request.
using MakeHandler = std::function<std::unique_ptr<Handler>()>;

}  // namespace hs::remote
