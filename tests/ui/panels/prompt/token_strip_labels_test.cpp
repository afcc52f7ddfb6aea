#include "panels/prompt/token_strip.h"

#include "panels/prompt/prompt_panel.h"
#include "support/catch.h"
#include "ui/panels/panel_stage.h"

#include <QLabel>
#include <QScrollBar>
#include <QTest>

using namespace hs;
using namespace hs::test;

namespace {

/// Gives a side tokens made up by the test, whatever the prompt.
class OtherTokens : public FakeBackend {
public:
    OtherTokens(std::vector<std::string> texts, std::optional<Side> only = {})
        : m_texts(std::move(texts)), m_only(only)
    {
    }

    Result<service::SideResult> run(Side side, const service::SideRequest& request, const Hooks& hooks,
                                    const service::OnRunPart& onPart) override
    {
        Result<service::SideResult> result = FakeBackend::run(side, request, hooks, onPart);
        if (!result || (m_only && *m_only != side))
            return result;
        service::SideResult run = *result;
        run.tokens.clear();
        for (const std::string& text : m_texts)
            run.tokens.push_back({static_cast<std::int64_t>(run.tokens.size()), text, 0, 0});
        run.position = static_cast<int>(m_texts.size()) - 1;
        return run;
    }

private:
    std::vector<std::string> m_texts;
    std::optional<Side> m_only;
};

}  // namespace

TEST_CASE("every chip is hit where it is drawn, whatever script its label is in")
{
    const std::vector<std::string> texts = {
        "<bos>", " שלום", " مرحبا", "世界", " こんにちは",         " 👩‍👩‍👧",
        "\xE2",  "\n\n",  " ",      "",     std::string(300, 'w'), "\t",
        ",",     " ไทย",  "ﷺ",      " é"};
    PanelStage stage({}, std::make_unique<OtherTokens>(texts));
    panels::TokenStrip strip(stage.explorer());
    present(strip, {1000, strip.sizeHint().height()});
    REQUIRE(strip.count() == static_cast<int>(texts.size()));
    for (int token = 0; token < strip.count(); ++token) {
        CAPTURE(token);
        const QRect chip = strip.chipRect(token);
        CHECK(strip.tokenAt(chip.topLeft()) == token);
        CHECK(strip.tokenAt(chip.bottomRight()) == token);
        CHECK(chip.width() <= 200);
        CHECK(chip.bottom() < strip.viewport()->height());
        if (token > 0)
            CHECK(chip.left() > strip.chipRect(token - 1).right());
    }
    CHECK_FALSE(strip.grab().isNull());
}

TEST_CASE("a token that is part of a character is written in bytes")
{
    PanelStage stage({}, std::make_unique<OtherTokens>(std::vector<std::string>{"\xF0\x9F", "é"}));
    panels::TokenStrip strip(stage.explorer());
    CHECK(strip.describe(0).startsWith(QStringLiteral("Token 0 “\\xF0\\x9F”")));
    CHECK(strip.describe(1).startsWith(QStringLiteral("Token 1 “é”")));
}

TEST_CASE("four thousand tokens are painted and reached")
{
    std::vector<std::string> texts;
    for (int token = 0; token < 4000; ++token)
        texts.push_back(" t" + std::to_string(token));
    PanelStage stage({}, std::make_unique<OtherTokens>(texts));
    panels::TokenStrip strip(stage.explorer());
    present(strip, {900, strip.sizeHint().height()});
    REQUIRE(strip.count() == 4000);
    strip.setFocus();
    QTest::keyClick(&strip, Qt::Key_End);
    CHECK(strip.horizontalScrollBar()->value() == strip.horizontalScrollBar()->maximum());
    REQUIRE(strip.viewport()->rect().contains(strip.chipRect(3999)));
    QTest::mouseClick(strip.viewport(), Qt::LeftButton, {}, strip.chipRect(3999).center());
    CHECK(stage.document().key == 3999);
    CHECK(countPixels(strip.viewport()->grab().toImage(), isReddish) > 60);
}

TEST_CASE("where the sides split the prompt differently the left one's tokens are shown, with a note")
{
    PanelStage stage({}, std::make_unique<OtherTokens>(std::vector<std::string>{"a", "b"}, Side::Right));
    panels::PromptPanel panel(stage.explorer());
    present(panel, {1000, 140});
    CHECK(child<panels::TokenStrip>(panel, "tokenStrip").count() == 15);
    const auto& note = child<QLabel>(panel, "tokenNote");
    CHECK(note.isVisible());
    CHECK(note.text().contains(QStringLiteral("tokens of")));
    CHECK(note.toolTip().contains(QStringLiteral("4x6+gate splits the prompt differently")));

    PanelStage same;
    panels::PromptPanel quiet(same.explorer());
    present(quiet, {1000, 140});
    CHECK_FALSE(child<QLabel>(quiet, "tokenNote").isVisible());
}

TEST_CASE("in a chat the first token of a message says whose it is, and the template's tokens are told apart")
{
    using text::TokenRole;
    const std::vector<text::Token> tokens = {
        {0, "<s>", 0, 3, TokenRole::Begin},  {1, "[", 3, 4, TokenRole::Frame},
        {2, "Hello", 4, 9, TokenRole::User}, {3, "!", 9, 10, TokenRole::User},
        {4, "]", 10, 11, TokenRole::Frame},  {5, "Hi", 11, 13, TokenRole::Assistant}};
    const panels::TokenChipLayout layout(tokens, QFont(), false);
    QStringList captions;
    QString frames;
    for (int token = 0; token < layout.count(); ++token) {
        captions << layout.caption(token);
        frames += layout.isFrame(token) ? QLatin1Char('f') : QLatin1Char('-');
    }
    CHECK(captions.join(QLatin1Char(',')) == QStringLiteral("0,1,user 2,3,4,assistant 5"));
    CHECK(frames == QStringLiteral("ff--f-"));
}
