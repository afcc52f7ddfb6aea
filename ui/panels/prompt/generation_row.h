#pragma once

#include "control/explorer/explorer.h"

#include <QWidget>

#include <array>

class QLabel;
class QPushButton;
class QSlider;
class QSpinBox;

namespace hs::panels {

class GeneratedLine;
class GenerationOptions;

/// What both models write behind the prompt: how it is written, a slider over the steps, and for each side its tokens and,
/// at the step, the token chosen, its runners-up and the loss so far.
class GenerationRow : public QWidget {
    Q_OBJECT

public:
    explicit GenerationRow(control::Explorer& explorer, QWidget* parent = nullptr);

    /// Whether something is written, or was.
    bool isNeeded() const;
    void takeAway();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    /// A side's line.
    struct Line {
        QLabel* title = nullptr;
        GeneratedLine* tokens = nullptr;
        QLabel* choice = nullptr;  // the token chosen at the step
    };

    void compose();
    QWidget* newControls();
    void connectParts();
    void refresh();
    void showControls();
    void showLines();
    void showWords();
    int step() const;
    int lastStep() const;
    std::vector<text::Token> tokensOf(Side side) const;
    QString choiceWords(Side side) const;
    void lookAt(int step);

    control::Explorer& m_explorer;
    QPushButton* m_write = nullptr;
    QSpinBox* m_count = nullptr;
    QPushButton* m_more = nullptr;
    GenerationOptions* m_options = nullptr;
    QSlider* m_slider = nullptr;
    QLabel* m_step = nullptr;
    QLabel* m_words = nullptr;     // what is shown
    std::array<Line, 2> m_lines;   // [Side]
    std::optional<int> m_parting;  // the step at which the two texts part
    bool m_areBoth = false;        // both sides have a text
};

}  // namespace hs::panels
