#pragma once

#include "composer/calm_controls.h"
#include "control/explorer/explorer.h"

#include <QCheckBox>
#include <QLineEdit>
#include <QSignalBlocker>

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

class QFormLayout;
class QLabel;

namespace hs::composer {

/// A titled group of controls, each of which shows and sets one part of the document's figure; a
/// change is one undoable step. Rows that the figure does not use are hidden.
class SpecForm : public QWidget {
    Q_OBJECT

public:
    using Uses = std::function<bool(const control::FigureSpec&)>;

    /// A row. `name` identifies the control for tests and for merging steps.
    struct Row {
        const char* name;
        QString label;
        QString help;
        Uses isUsed = {};  // empty: always
    };
    struct Range {
        double least = 0;
        double most = 1;
        double step = 1;
        int decimals = 0;
        QString unit = {};
        QString special = {};  // shown instead of the least value
    };
    template <class Value>
    using Choices = std::vector<std::pair<QString, Value>>;

    SpecForm(control::Explorer& explorer, const QString& title, QWidget* parent = nullptr);

    /// `field(spec)` is the part of the spec to read or set.
    template <class Field>
    QDoubleSpinBox* addNumber(const Row& row, const Range& range, Field field);
    template <class Field>
    QLineEdit* addText(const Row& row, const QString& placeholder, Field field);
    template <class Field>
    QCheckBox* addSwitch(const Row& row, Field field);
    template <class Value, class Field>
    QComboBox* addChoice(const Row& row, const Choices<Value>& choices, Field field);
    /// A choice by its index; -1 is none of them.
    QComboBox* addIndex(const Row& row, const QStringList& texts,
                        std::function<int(const control::FigureSpec&)> read,
                        std::function<void(control::FigureSpec&, int)> write);
    /// Any other control; `show` updates it to match the figure.
    void addControl(const Row& row, QWidget* control, std::function<void(const control::FigureSpec&)> show);

    const control::FigureSpec& spec() const { return m_explorer.document().figure; }
    /// One undoable step; consecutive ones of the same `name` are merged.
    void edit(const QString& what, const std::function<void(control::FigureSpec&)>& change,
              const char* name = nullptr);
    /// Updates every control to match the document.
    void refresh();

protected:
    control::Explorer& explorer() { return m_explorer; }

private:
    struct Shown {
        QWidget* control;
        Uses isUsed;
        std::function<void(const control::FigureSpec&)> show;
    };

    void name(QWidget& control, const Row& row) const;

    control::Explorer& m_explorer;
    QLabel* m_title = nullptr;  // null where there is none
    QFormLayout* m_rows;
    std::vector<Shown> m_shown;
};

template <class Field>
QDoubleSpinBox* SpecForm::addNumber(const Row& row, const Range& range, Field field)
{
    using Value = std::decay_t<decltype(field(std::declval<control::FigureSpec&>()))>;
    auto* const box = new CalmBox;
    box->setDecimals(range.decimals);
    box->setRange(range.least, range.most);
    box->setSingleStep(range.step);
    box->setSuffix(range.unit.isEmpty() ? QString() : QStringLiteral(" ") + range.unit);
    box->setSpecialValueText(range.special);
    box->setKeyboardTracking(false);
    connect(box, &QDoubleSpinBox::valueChanged, this,
            [this, field, what = row.label, name = row.name](double value) {
                edit(what, [&](control::FigureSpec& spec) { field(spec) = static_cast<Value>(value); }, name);
            });
    addControl(row, box, [box, field](const control::FigureSpec& spec) {
        const QSignalBlocker blocker(box);
        box->setValue(static_cast<double>(field(spec)));
    });
    return box;
}

template <class Field>
QLineEdit* SpecForm::addText(const Row& row, const QString& placeholder, Field field)
{
    auto* const line = new QLineEdit;
    line->setPlaceholderText(placeholder);
    connect(line, &QLineEdit::textEdited, this,
            [this, field, what = row.label, name = row.name](const QString& text) {
                edit(what, [&](control::FigureSpec& spec) { field(spec) = text; }, name);
            });
    addControl(row, line, [line, field](const control::FigureSpec& spec) {
        if (line->text() == field(spec))
            return;
        line->setText(field(spec));
        if (!line->hasFocus())
            line->setCursorPosition(0);  // so that a long text shows its beginning
    });
    return line;
}

template <class Field>
QCheckBox* SpecForm::addSwitch(const Row& row, Field field)
{
    auto* const box = new QCheckBox(row.label);
    connect(box, &QCheckBox::toggled, this, [this, field, what = row.label](bool isOn) {
        edit(what, [&](control::FigureSpec& spec) { field(spec) = isOn; });
    });
    addControl(row, box, [box, field](const control::FigureSpec& spec) {
        const QSignalBlocker blocker(box);
        box->setChecked(field(spec));
    });
    return box;
}

template <class Value, class Field>
QComboBox* SpecForm::addChoice(const Row& row, const Choices<Value>& choices, Field field)
{
    QStringList texts;
    for (const auto& choice : choices)
        texts << choice.first;
    const auto read = [field, choices](const control::FigureSpec& spec) {
        const auto found = std::find_if(choices.begin(), choices.end(),
                                        [&](const auto& choice) { return choice.second == field(spec); });
        return found == choices.end() ? -1 : static_cast<int>(found - choices.begin());
    };
    return addIndex(row, texts, read, [field, choices](control::FigureSpec& spec, int index) {
        field(spec) = choices[static_cast<std::size_t>(index)].second;
    });
}

}  // namespace hs::composer
