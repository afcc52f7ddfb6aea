#pragma once

#include "base/side.h"
#include "panels/inspector/head_map.h"

#include <QWidget>

#include <optional>

class QButtonGroup;
class QComboBox;
class QLabel;
class QToolButton;

namespace hs::panels {

/// The inspector's first line: which head, buttons for the previous and the next, what its maps show and for
/// which sides.
class InspectorHeader : public QWidget {
    Q_OBJECT

public:
    enum Sides { LeftOnly, Both, RightOnly };

    explicit InspectorHeader(QWidget* parent = nullptr);

    void setHead(const QString& name);
    void setView(MapView view);
    /// Greys a view that cannot be shown, for a reason; empty: it can.
    void setProblem(MapView view, const QString& problem);
    Sides sides() const { return m_wanted; }
    void setSides(Sides sides);
    /// Whether the head is asked for words, too.
    bool hasWords() const;
    /// Greys the choice of words, for a reason; empty: there are some.
    void setWordsProblem(const QString& problem);
    /// Set if there is room for this side only, whatever is wanted; none: for both.
    void setAlone(std::optional<Side> side);

Q_SIGNALS:
    void stepRequested(int by);
    void viewChosen(hs::panels::MapView view);
    void sidesChosen();
    void aloneChosen(Side side);
    void wordsChosen();

private:
    QToolButton* newStep(const QString& name, Qt::ArrowType arrow, const QString& help, int by);
    QWidget* newChoice();
    void choose(Sides sides);

    Sides m_wanted = Both;
    std::optional<Side> m_alone;
    QLabel* m_name;
    QComboBox* m_views;
    QButtonGroup* m_choice;
    QToolButton* m_words;
};

}  // namespace hs::panels
