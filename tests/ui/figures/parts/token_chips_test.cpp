#include "figures/parts/token_chips.h"

#include "ui/figures/drawing_probe.h"

#include "support/catch.h"

using namespace hs;
using namespace hs::test;

namespace {

std::vector<QString> words(int count, const QString& word = QStringLiteral("word"))
{
    std::vector<QString> tokens;
    for (int index = 0; index < count; ++index)
        tokens.push_back(word + QString::number(index));
    return tokens;
}

figures::Drawing drawn(const figures::TokenStrip& strip)
{
    figures::Drawing drawing;
    strip.draw(drawing, {1, 1});
    drawing.setSize(strip.size() + QSizeF(2, 2));
    return drawing;
}

}  // namespace

TEST_CASE("token chips: a short prompt is shown whole with positions from 1")
{
    const figures::Form form;
    const std::vector<QString> tokens = words(6);
    const std::map<int, figures::ChipKind> kinds = {{2, figures::ChipKind::Marked}};
    const figures::TokenStrip strip(tokens, kinds, form, 300);
    const figures::Drawing drawing = drawn(strip);
    CHECK(strip.leftOut() == 0);
    CHECK(drawing.notes().isEmpty());
    for (int position = 0; position < 6; ++position) {
        CHECK(textsOf(drawing).contains(tokens[static_cast<std::size_t>(position)]));
        CHECK(textsOf(drawing).contains(QString::number(position + 1)));
    }
    CHECK(flawsOf(drawing) == QStringList());
}

TEST_CASE("token chips: what stands out of a long prompt is always shown, with its neighbours")
{
    const figures::Form form;
    const std::vector<QString> tokens = words(2000);
    const std::map<int, figures::ChipKind> kinds = {
        {3, figures::ChipKind::Source}, {700, figures::ChipKind::Marked}, {1999, figures::ChipKind::Marked}};
    for (const double width : {140.0, 300.0, 460.0}) {
        CAPTURE(width);
        const figures::TokenStrip strip(tokens, kinds, form, width);
        CHECK(strip.size().width() <= width + 1e-6);
        for (const auto& [position, kind] : kinds)
            CHECK(strip.chip(position).has_value());
        CHECK_FALSE(strip.chip(1200).has_value());
        const figures::Drawing drawing = drawn(strip);
        int shown = 0;
        for (int position = 0; position < 2000; ++position)
            shown += strip.chip(position).has_value() ? 1 : 0;
        CHECK(shown + strip.leftOut() == 2000);
        CHECK(textsOf(drawing).count(QStringLiteral("…")) >= 2);
        CHECK(drawing.notes().size() == 1);
        CHECK(flawsOf(drawing) == QStringList());
    }
    const figures::TokenStrip wide(tokens, kinds, form, 460);
    CHECK(wide.chip(1998).has_value());
    CHECK(wide.chip(699).has_value());
}

TEST_CASE("token chips: long tokens and other scripts stay within their chips")
{
    const figures::Form form;
    const std::vector<QString> tokens = {
        QString(200, QLatin1Char('w')), QStringLiteral("مرحبا"), QStringLiteral("你好"),
        QStringLiteral("🙂"),           QStringLiteral("·"),     QStringLiteral("↵")};
    const std::map<int, figures::ChipKind> kinds = {{0, figures::ChipKind::Marked}};
    for (const double width : {90.0, 200.0, 500.0}) {
        const figures::TokenStrip strip(tokens, kinds, form, width);
        const figures::Drawing drawing = drawn(strip);
        CHECK(strip.size().width() <= width + 1e-6);
        CHECK(flawsOf(drawing) == QStringList());
        for (const figures::Drawing::Item& item : drawing.items())
            if (const auto* const text = std::get_if<figures::DrawnText>(&item);
                text && text->text.startsWith(QLatin1Char('w')))
                CHECK(text->width <= strip.chip(0)->width());
    }
}

TEST_CASE("token chips: an empty prompt and a strip without emphasis draw well")
{
    const figures::Form form;
    const std::map<int, figures::ChipKind> none;
    const std::vector<QString> nothing, many = words(300);
    CHECK(figures::TokenStrip(nothing, none, form, 100).size().width() == 0);
    const figures::TokenStrip strip(many, none, form, 200);
    CHECK(strip.chip(0).has_value());
    CHECK(flawsOf(drawn(strip)) == QStringList());
}
