#pragma once

#include "train/trainer.h"
#include "training_data.h"

#include <stop_token>
#include <string>

namespace hs {

/// Everything of a job that does not depend on where the model comes from.
void fillJob(TrainingJob& job, const TrainingArguments& arguments, const TrainingPlan& plan,
             const TrainingData& data, const ChosenTokenizer& tokenizer, const TrainingPlace& place);

/// Trains and says in words what happens. `what` begins the first line ("Training a new model"), `data`
/// says what it learns from. Throws Failure where it was stopped or nothing met the constraint.
void runTraining(const TrainingJob& job, const std::string& what, const std::string& data,
                 std::stop_token stop);

}  // namespace hs
