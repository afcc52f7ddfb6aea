#pragma once

#include "control/explorer/explorer.h"

#include <QWidget>

class QHBoxLayout;

namespace hs::panels {

/// The adapters of both sides, each with a dial for its strength: 0 is the base, 1 what was trained. Turning it runs at once.
class AdapterRow : public QWidget {
    Q_OBJECT

public:
    explicit AdapterRow(control::Explorer& explorer, QWidget* parent = nullptr);
    ~AdapterRow() override;

    /// Whether a side has an adapter.
    bool isNeeded() const;

private:
    struct Shown {
        Side side;
        engine::AdapterChoice choice;
        bool isOwn;  // the model was opened as this adapter
    };
    struct Dial;

    std::vector<Shown> adapters() const;
    void showDocument();
    void rebuild(const std::vector<Shown>& wanted);
    Dial newDial(const Shown& shown);
    void turn(Side side, const std::string& folder, double strength);

    control::Explorer& m_explorer;
    QHBoxLayout* m_row;
    std::vector<Dial> m_dials;
    int m_turn = 0;  // separates the undo steps of turning
};

}  // namespace hs::panels
