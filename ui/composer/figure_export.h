#pragma once

#include "control/explorer/explorer.h"
#include "control/figures/figure_runs.h"

#include <QObject>

#include <filesystem>

class QWidget;

namespace hs::composer {

/// The name with the extension of the chosen filter, "PDF (*.pdf)", if it has none.
QString withEnding(const QString& name, const QString& filter);

/// Takes the shown figure out of the program: as a file that can be made again, as the numbers behind
/// it, as an image on the clipboard. Reports the outcome in one sentence.
class FigureExport : public QObject {
    Q_OBJECT

public:
    FigureExport(control::Explorer& explorer, QWidget* window);

    /// Whether there is a figure that matches the current settings.
    bool isReady() const;

    void askForFile();
    void askForDataFile();
    void writeTo(const std::filesystem::path& file);
    void writeDataTo(const std::filesystem::path& file);
    void copyImage();
    /// The line that makes the figure again in a terminal.
    void copyCommand();

Q_SIGNALS:
    void done(const QString& sentence);
    void failed(const QString& sentence);

private:
    QString suggestedName(const QString& ending) const;
    void write(const control::FigureRuns::Use<std::filesystem::path>& write);
    /// `take` is called later, with what was made from the figure; failures are reported.
    template <class T>
    void use(const control::FigureRuns::Use<T>& use, const std::function<void(const T&)>& take);

    control::Explorer& m_explorer;
    QWidget* m_window;
};

}  // namespace hs::composer
