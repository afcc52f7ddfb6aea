#pragma once

#include "panels/prompt/prompt_line.h"

class QLabel;

namespace hs::panels {

/// The second prompt, which has another answer: patched heads take their outputs from it, and circuits are
/// measured against it. Points out if its number of tokens differs from the prompt's.
class CorruptedRow : public PromptLine {
    Q_OBJECT

public:
    explicit CorruptedRow(control::Explorer& explorer, QWidget* parent = nullptr);

    /// Whether the document has such a prompt, or patches heads and so needs one.
    bool isNeeded() const;

private:
    void showCount();

    QLabel* m_count;
};

}  // namespace hs::panels
