#pragma once

#include "base/side.h"
#include "control/document/graph_choice.h"
#include "control/work/worker.h"

#include <QObject>

#include <array>

namespace hs::control {

/// Keeps the labels of features that a document gives beside the transcoders, so that other sessions and the command
/// line have them; what is undone gets back the label it had. For the UI thread only.
class LabelKeeper : public QObject {
    Q_OBJECT

public:
    /// Uses the worker's slots from `firstSlot` on, kSlots of them.
    LabelKeeper(Worker& worker, int firstSlot) : m_worker(worker), m_firstSlot(firstSlot) {}
    static constexpr int kSlots = 2;

    /// Writes what has changed since it was last called about this model and these transcoders. Those of a document
    /// that was just opened were kept when they were given.
    void follow(Side side, const GraphChoice& choice, const std::shared_ptr<const service::OpenModel>& model);
    /// The next document is another one.
    void forget() { m_kept = {}; }

Q_SIGNALS:
    void failed(const hs::Error& error);

private:
    using Labels = std::map<FeatureId, std::string>;

    struct Kept {
        std::string fingerprint;  // of the model; empty: nothing is known
        QString coders;
        Labels labels;
        Labels before;  // what features had when they were first labelled here
    };

    Worker& m_worker;
    int m_firstSlot;
    std::array<Kept, 2> m_kept;  // [Side]
};

}  // namespace hs::control
