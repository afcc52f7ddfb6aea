#pragma once

#include "control/explorer/explorer.h"

#include <QWidget>

class QDoubleSpinBox;
class QLineEdit;
class QSpinBox;

namespace hs::panels {

/// Which token comes, where the text ends, and from which step on heads are ablated.
class GenerationOptions : public QWidget {
    Q_OBJECT

public:
    explicit GenerationOptions(control::Explorer& explorer, QWidget* parent = nullptr);

    /// Whether one of them is not as it is at first.
    bool isUsed() const;

private:
    void showDocument();
    void change(const std::function<void(service::GenerationSetup&)>& how, const char* field);

    control::Explorer& m_explorer;
    QDoubleSpinBox* m_temperature;
    QSpinBox* m_topK;
    QSpinBox* m_seed;
    QLineEdit* m_stop;
    QSpinBox* m_ablateFrom;
};

}  // namespace hs::panels
