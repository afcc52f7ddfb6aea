#pragma once

#include "control/explorer/explorer.h"

#include <QWidget>

#include <functional>

class QHBoxLayout;

namespace hs::panels {

/// What can be turned about the models of both sides: how much there is of an adapter, from the base at 0 to what was
/// trained at 1 and beyond, and the step of the training. Turning runs at once.
class DialRow : public QWidget {
    Q_OBJECT

public:
    explicit DialRow(control::Explorer& explorer, QWidget* parent = nullptr);
    ~DialRow() override;

    /// Whether there is anything to turn.
    bool isNeeded() const;

private:
    /// One dial as the document has it.
    struct Setting {
        QString name;  // of the widget
        QString of;    // tells dials apart
        QString label;
        QString toolTip;
        QString what;  // for those who hear the window
        int most = 0;
        int tick = 1;
        int value = 0;
        QString reading;
        std::function<void(int)> turn;
        std::function<void()> remove;  // empty: it stays
    };
    struct Dial;

    std::vector<Setting> settings() const;
    void addAdapters(Side side, std::vector<Setting>& settings) const;
    void addTraining(Side side, std::vector<Setting>& settings) const;
    void showDocument();
    void rebuild(const std::vector<Setting>& wanted);
    Dial newDial(const Setting& setting);
    void turnAdapter(Side side, const std::string& folder, double strength) const;
    void removeAdapter(Side side, const std::string& folder) const;
    /// Turning one dial is one step to undo until it is let go of.
    QString mergeKey(const QString& of) const;

    control::Explorer& m_explorer;
    QHBoxLayout* m_row;
    std::vector<Dial> m_dials;
    int m_turn = 0;
};

}  // namespace hs::panels
