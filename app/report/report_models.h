#pragma once

#include "app/report/report_options.h"
#include "engine/load/open_model.h"
#include "engine/run/engine.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace hs::app {

/// A model of a report and how it is run.
struct ReportedModel {
    engine::Workspace workspace;
    std::optional<engine::ScoreGate> gate;
    engine::Engine engine;

    const std::string& name() const { return workspace.model->facts().name; }
};

/// The dense and the sparse model with one tokenizer.
class ReportModels {
public:
    /// Throws Failure if they cannot be opened, or have different tokens.
    explicit ReportModels(const ReportOptions& options);

    ReportedModel& operator[](std::size_t model) { return m_models[model]; }
    /// Null if neither has one.
    const text::Tokenizer* tokenizer() const;
    /// The token that starts a text, whether or not the tokenizer puts it before prompts.
    std::optional<std::int64_t> firstToken() const;
    std::string tokenText(std::int64_t id) const;
    std::int64_t vocabulary() const { return m_models[0].workspace.model->spec().vocabulary; }
    int context() const;

private:
    std::array<ReportedModel, 2> m_models;  // dense, sparse
};

}  // namespace hs::app
