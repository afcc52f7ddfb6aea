#pragma once

#include "composer/spec_form.h"

namespace hs::composer {

/// A preset's analysis settings: cell, threshold, metric, tokens, share and level.
class AnalysisForm : public SpecForm {
    Q_OBJECT

public:
    explicit AnalysisForm(control::Explorer& explorer, QWidget* parent = nullptr);

private:
    QComboBox* addPosition(const char* name, const QString& label,
                           std::optional<int> control::FigureSpec::* field);
    /// Offers the tokens of the current prompt.
    void listTokens();

    std::vector<QComboBox*> m_positions;
    QStringList m_tokens;
};

}  // namespace hs::composer
