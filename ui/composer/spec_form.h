#pragma once

#include "control/explorer/explorer.h"

#include <QWidget>

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QFormLayout;
class QLabel;
class QLineEdit;

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

    QDoubleSpinBox* addNumberBox(const Row& row, const Range& range,
                                 std::function<double(const control::FigureSpec&)> read,
                                 std::function<void(control::FigureSpec&, double)> write);
    QLineEdit* addLine(const Row& row, const QString& placeholder,
                       std::function<QString(const control::FigureSpec&)> read,
                       std::function<void(control::FigureSpec&, const QString&)> write);
    QCheckBox* addBox(const Row& row, std::function<bool(const control::FigureSpec&)> read,
                      std::function<void(control::FigureSpec&, bool)> write);
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
    return addNumberBox(
        row, range, [field](const control::FigureSpec& spec) { return static_cast<double>(field(spec)); },
        [field](control::FigureSpec& spec, double value) { field(spec) = static_cast<Value>(value); });
}

template <class Field>
QLineEdit* SpecForm::addText(const Row& row, const QString& placeholder, Field field)
{
    return addLine(
        row, placeholder, [field](const control::FigureSpec& spec) { return field(spec); },
        [field](control::FigureSpec& spec, const QString& text) { field(spec) = text; });
}

template <class Field>
QCheckBox* SpecForm::addSwitch(const Row& row, Field field)
{
    return addBox(
        row, [field](const control::FigureSpec& spec) { return field(spec); },
        [field](control::FigureSpec& spec, bool isOn) { field(spec) = isOn; });
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
