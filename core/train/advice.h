#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace hs::train {

/// What a look at the held-out part says about the way a sparse training goes.
struct Look {
    std::int64_t step = 0;
    double density = 1;
    double strain = 0;          // of the constraint; 1 is its limit
    double trainingExcess = 0;  // nats a token, mean over the training rows since the last look
    double heldOutExcess = 0;
    bool isCheapest = false;  // the price is as low as it gets
};

/// Watches a training's looks and says what goes wrong while it happens, each thing once, as a sentence
/// with the remedy: a density that no longer falls, a tolerance that is out of reach, rows learnt by heart.
class Advice {
public:
    /// The sentences that are due after this look; mostly none.
    std::vector<std::string> after(const Look& look);

private:
    bool isFlat() const;
    bool isOutOfReach() const;
    bool isLearntByHeart() const;

    std::vector<Look> m_looks;
    bool m_saidFlat = false;
    bool m_saidOutOfReach = false;
    bool m_saidByHeart = false;
};

}  // namespace hs::train
