#include "control/figures/figure_recipe.h"

#include "base/failure.h"
#include "base/json.h"

namespace hs::control {
namespace {

using Tree = nlohmann::ordered_json;

Tree traceOf(const SideRun& run)
{
    Tree ids = Tree::array();
    for (const text::Token& token : run.textTokens())
        ids.push_back(token.id);
    Tree trace = Tree::object();
    trace["title"] = run.request.model->title;
    trace["fingerprint"] = run.request.model->fingerprint;
    trace["gateBias"] = run.request.gate ? Tree(run.request.gate->bias) : Tree();
    trace["tokens"] = std::move(ids);
    return trace;
}

/// The location of the demo pair is meaningful only on this machine.
bool isDemo(const QString& source)
{
    return source.startsWith(QLatin1String("demo:"));
}

std::string recipeOf(const MadeFigure& figure, const Document& document)
{
    Session session;
    session.document = document;
    for (const Side side : kSides)
        if (const auto& run = figure.runs[indexOf(side)])
            session.traces[indexOf(side)] = {isDemo(document.side(side).model) ? std::string()
                                                                               : run->request.model->folder,
                                             run->request.model->fingerprint};
    Tree recipe = Tree::parse(writeSession(session, "/figure"));
    recipe.erase("view");
    Tree made = Tree::object();
    made["program"] = "HeadScope " HS_VERSION;
    for (const Side side : kSides)
        if (const auto& run = figure.runs[indexOf(side)])
            made[std::string(wordOf(side))] = traceOf(*run);
    recipe["made"] = std::move(made);
    return recipe.dump(2, ' ', false, Tree::error_handler_t::replace) + '\n';
}

bool isPicture(const std::filesystem::path& file)
{
    return guarded([&] { return figures::formatOf(file); }).ok();
}

}  // namespace

figures::Stamp stampOf(const MadeFigure& figure, const Document& document)
{
    QStringList titles;
    for (const auto& run : figure.runs)
        if (run)
            titles << QString::fromStdString(run->request.model->title);
    figures::Stamp stamp;
    stamp.title =
        QStringLiteral("%1: %2").arg(QString::fromStdString(std::string(wordOf(figure.request.spec.preset))),
                                     titles.join(QStringLiteral(" and ")));
    stamp.description = std::visit([](const auto& content) { return content.caption; }, figure.content);
    stamp.recipe = recipeOf(figure, document);
    return stamp;
}

Result<Session> readFigureSession(const std::filesystem::path& file)
{
    return guarded([&] {
        if (!isPicture(file))
            return orThrow(loadSession(file));
        return orThrow(readSession(orThrow(figures::readRecipe(file)), file));
    });
}

Result<std::filesystem::path> writeMadeFigure(const MadeFigure& figure, const Document& document,
                                              const std::filesystem::path& file)
{
    const figures::Form& form = document.figure.form;
    return figures::writeFigure(figure.draw(form), file, stampOf(figure, document),
                                {form.dotsPerInch, form.isTransparent});
}

}  // namespace hs::control
