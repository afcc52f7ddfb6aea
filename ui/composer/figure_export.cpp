#include "composer/figure_export.h"

#include "base/failure.h"
#include "base/json.h"
#include "control/figures/figure_recipe.h"
#include "service/command_line.h"

#include <QClipboard>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QPointer>

namespace hs::composer {
namespace {

std::filesystem::path toPath(const QString& name)
{
    return QFile::encodeName(name).toStdString();
}

}  // namespace

QString withEnding(const QString& name, const QString& filter)
{
    if (name.isEmpty() || !QFileInfo(name).suffix().isEmpty())
        return name;
    const qsizetype dot = filter.indexOf(QStringLiteral("*.")) + 1;
    return name + filter.mid(dot, filter.indexOf(QLatin1Char(')')) - dot);
}

FigureExport::FigureExport(control::Explorer& explorer, QWidget* window)
    : QObject(window), m_explorer(explorer), m_window(window)
{
}

bool FigureExport::isReady() const
{
    const control::FigureRuns& figures = m_explorer.figures();
    return figures.figure() && !figures.isStale() && figures.problem().isEmpty();
}

QString FigureExport::suggestedName(const QString& ending) const
{
    return QString::fromStdString(std::string(wordOf(m_explorer.document().figure.preset))) + ending;
}

void FigureExport::askForFile()
{
    QString filter;
    const QString name =
        QFileDialog::getSaveFileName(m_window, tr("Export figure"), suggestedName(QStringLiteral(".pdf")),
                                     figures::formatFilters(), &filter);
    if (!name.isEmpty())
        writeTo(toPath(withEnding(name, filter)));
}

void FigureExport::askForDataFile()
{
    QString filter;
    const QString name = QFileDialog::getSaveFileName(m_window, tr("Export the numbers behind the figure"),
                                                      suggestedName(QStringLiteral(".csv")),
                                                      QStringLiteral("CSV (*.csv);;NumPy (*.npz)"), &filter);
    if (!name.isEmpty())
        writeDataTo(toPath(withEnding(name, filter)));
}

void FigureExport::writeTo(const std::filesystem::path& file)
{
    write([file, document = m_explorer.document()](const control::MadeFigure& figure) {
        return control::writeMadeFigure(figure, document, file);
    });
}

void FigureExport::writeDataTo(const std::filesystem::path& file)
{
    write([file](const control::MadeFigure& figure) {
        return figures::writeTable(figures::tableOf(figure.content), file);
    });
}

void FigureExport::write(const control::FigureRuns::Use<std::filesystem::path>& write)
{
    use<std::filesystem::path>(write, [this](const std::filesystem::path& file) {
        Q_EMIT done(tr("Exported %1.").arg(QFile::decodeName(file.string().c_str())));
    });
}

void FigureExport::copyImage()
{
    const auto paint = [form = m_explorer.document().figure.form](const control::MadeFigure& figure) {
        return guarded(
            [&] { return figures::figureImage(figure.draw(form), {form.dotsPerInch, form.isTransparent}); });
    };
    use<QImage>(paint, [this](const QImage& image) {
        QGuiApplication::clipboard()->setImage(image);
        Q_EMIT done(tr("Copied an image of %1 × %2 pixels.").arg(image.width()).arg(image.height()));
    });
}

void FigureExport::copyCommand()
{
    const auto line = [document = m_explorer.document(),
                       name = suggestedName(QStringLiteral(".pdf"))](const control::MadeFigure& figure) {
        return guarded([&] {
            service::CommandLine command("figure");
            command.add("-");
            command.add("--out", name.toStdString());
            command.setInput(nlohmann::ordered_json::parse(control::stampOf(figure, document).recipe).dump());
            return command.text();
        });
    };
    use<std::string>(line, [this](const std::string& text) {
        QGuiApplication::clipboard()->setText(QString::fromStdString(text));
        Q_EMIT done(tr("Copied the command that makes this figure."));
    });
}

template <class T>
void FigureExport::use(const control::FigureRuns::Use<T>& use, const std::function<void(const T&)>& take)
{
    if (!isReady())
        return;
    m_explorer.figures().useShown<T>(use, [self = QPointer(this), take](const Result<T>& made) {
        if (!self)  // the window may be gone by now
            return;
        if (made)
            take(*made);
        else
            Q_EMIT self->failed(QString::fromStdString(made.error().message));
    });
}

}  // namespace hs::composer
