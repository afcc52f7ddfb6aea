#pragma once

#include "app/training/training_data.h"
#include "train/trainer.h"

#include <stop_token>
#include <string>

namespace hs::app {

/// Where this process trains: alone, or with the other workers that torchrun or Slurm started, which it meets here,
/// before anything slow. One that is not the first says only errors. Throws Failure.
TrainingPlace joinTraining(const TrainingArguments& arguments);

/// Fills in everything in a job that does not depend on where the model comes from.
void fillJob(train::Job& job, const TrainingArguments& arguments, const TrainingPlan& plan,
             const TrainingData& data, const ChosenTokenizer& tokenizer, const TrainingPlace& place);

/// Trains and reports what happens. `what` begins the first line ("Training a new model"), `data` says
/// what it learns from. Throws Failure if it was stopped or nothing met the constraint.
void runTraining(const train::Job& job, const std::string& what, const std::string& data,
                 std::stop_token stop);

}  // namespace hs::app
