#pragma once

#include "app/report/report_models.h"
#include "train/pair_report.h"

namespace hs::app {

/// How both models answer the prompts of one task, and how large their circuits are. A task that the tokenizer
/// does not allow is left out with the reason.
class TaskReporter {
public:
    TaskReporter(ReportModels& models, const ReportOptions& options) : m_models(models), m_options(options) {}

    train::TaskReport report(text::PairTask task);  // throws Failure

    double promptSeconds() const { return m_promptSeconds; }
    double circuitSeconds() const { return m_circuitSeconds; }

private:
    struct Question {
        std::vector<std::int64_t> clean;
        std::vector<std::int64_t> corrupted;
        std::int64_t target = 0;
        std::int64_t versus = 0;
        std::vector<std::int64_t> answers;
    };

    Question questionOf(const text::PromptPair& pair) const;
    std::vector<std::int64_t> promptOf(const std::string& text) const;
    void score(train::TaskReport& report, const std::vector<Question>& questions);
    void searchCircuits(train::TaskReport& report, const std::vector<Question>& questions);
    struct Sizes {
        int heads = 0;
        int edges = 0;
    };
    std::array<Sizes, 2> smallestCircuits(const Question& question);  // [dense, sparse]; throws Failure
    int smallest(std::size_t model, const Question& question, analyses::CircuitUnits units);

    ReportModels& m_models;
    const ReportOptions& m_options;
    std::vector<bool> m_isAnswered;  // [question] by both
    double m_promptSeconds = 0;
    double m_circuitSeconds = 0;
};

}  // namespace hs::app
