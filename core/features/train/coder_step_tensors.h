#pragma once

#include "features/train/coder_record_tensors.h"
#include "features/train/kept_features_tensors.h"
#include "train/optimizer_tensors.h"

namespace hs::features {

/// The means of some steps.
struct CoderStepMeans {
    double fvu = 0;  // unexplained share of variance, mean over layers
    double l0 = 0;   // features that fired at a token, mean over layers
    double gradientNorm = 0;
};

/// One update of a set of transcoders: reconstruction, the share of dead features in it, AdamW.
class CoderStep {
public:
    CoderStep(const CoderParameters& parameters, const CoderOptions& coders, train::TrainingVectors& vectors,
              const at::Tensor& record);

    void run(const MlpStreams& streams, const train::Options& options, std::int64_t step);

    /// Of the steps since the last call; waits for the device.
    CoderStepMeans takeMeans();

private:
    struct Loss {
        at::Tensor loss;   // []
        at::Tensor fvu;    // [], mean over layers
        at::Tensor fired;  // [layer, feature] tokens
    };

    Loss lossOf(const MlpStreams& streams, const at::Tensor& weights, std::int64_t deadAfter) const;
    at::Tensor auxiliaryLoss(const std::vector<TrainedLayer>& layers,
                             const std::vector<at::Tensor>& preactivations,
                             const std::vector<at::Tensor>& rests, const at::Tensor& isDead) const;
    void addTo(std::vector<at::Tensor>& outputs, int source, const at::Tensor& decoded) const;

    const CoderParameters& m_parameters;
    CoderOptions m_coders;
    train::TrainingVectors& m_vectors;
    CoderRecord m_record;
    train::StepScalars m_scalars;
    bool m_hasDead;
    at::Tensor m_sums;  // [3] of CoderStepMeans, on the device
    std::int64_t m_summed = 0;
};

}  // namespace hs::features
