#pragma once

#include "composer/spec_form.h"

namespace hs::composer {

/// What a preset's analysis needs to know: cell, threshold, metric, tokens, share and level.
class AnalysisForm : public SpecForm {
    Q_OBJECT

public:
    explicit AnalysisForm(control::Explorer& explorer, QWidget* parent = nullptr);

private:
    QComboBox* addPosition(const char* name, const QString& label,
                           std::optional<int> control::FigureSpec::* field);
    /// Offers the tokens of the prompt as it is now.
    void listTokens();

    std::vector<QComboBox*> m_positions;
    QStringList m_tokens;
};

}  // namespace hs::composer
