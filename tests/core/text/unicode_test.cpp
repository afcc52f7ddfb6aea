#include "support/catch.h"
#include "text/normalizer.h"
#include "text/unicode_normalize.h"
#include "text/utf8.h"

#include <random>

using namespace hs;

namespace {

std::string normalForm(std::string_view text, text::NormalForm form)
{
    return std::string(text::normalizeUnicode(text::AlignedText::fromBytes(text), form).text());
}

const std::vector<std::string> kTexts = {"",
                                         "plain",
                                         "é",
                                         "e\u0301",
                                         "a\u0323\u0302",
                                         "a\u0302\u0323",
                                         "\u1e69",
                                         "s\u0307\u0323",
                                         "각",
                                         "\u1100\u1161\u11a8",
                                         "가\u11a8",
                                         "ﬁ ㌀ Å ½",
                                         "\u0344",
                                         "\u0958",
                                         "\U0001d15e",
                                         "日本",
                                         "q\u0307\u0323\u0301x"};

}  // namespace

TEST_CASE("normal forms are idempotent, and composing undoes decomposing")
{
    for (const std::string& text : kTexts) {
        INFO(text);
        for (const text::NormalForm form :
             {text::NormalForm::Nfc, text::NormalForm::Nfd, text::NormalForm::Nfkc, text::NormalForm::Nfkd})
            CHECK(normalForm(normalForm(text, form), form) == normalForm(text, form));
        CHECK(normalForm(normalForm(text, text::NormalForm::Nfd), text::NormalForm::Nfc) ==
              normalForm(text, text::NormalForm::Nfc));
        CHECK(normalForm(normalForm(text, text::NormalForm::Nfc), text::NormalForm::Nfd) ==
              normalForm(text, text::NormalForm::Nfd));
        CHECK(normalForm(normalForm(text, text::NormalForm::Nfkd), text::NormalForm::Nfkc) ==
              normalForm(text, text::NormalForm::Nfkc));
    }
}

TEST_CASE("characters compose and decompose as the Unicode standard says")
{
    CHECK(normalForm("e\u0301", text::NormalForm::Nfc) == "é");
    CHECK(normalForm("s\u0307\u0323", text::NormalForm::Nfc) == "\u1e69");
    CHECK(normalForm("\u1100\u1161\u11a8", text::NormalForm::Nfc) == "각");
    CHECK(normalForm("각", text::NormalForm::Nfd) == "\u1100\u1161\u11a8");
    CHECK(normalForm("\u0958", text::NormalForm::Nfc) == "\u0915\u093c");  // excluded from composition
    CHECK(normalForm("\u212b", text::NormalForm::Nfc) == "Å");             // a singleton
    CHECK(normalForm("ﬁ ½", text::NormalForm::Nfkc) == "fi 1\u20442");
}

TEST_CASE("a composed character stands for the bytes of all its parts")
{
    const text::AlignedText text =
        text::normalizeUnicode(text::AlignedText::fromBytes("xe\u0301z"), text::NormalForm::Nfc);
    CHECK(text.text() == "xéz");
    CHECK(text.origin({1, 3}) == text::ByteSpan{1, 4});
    CHECK(text.origin({3, 4}) == text::ByteSpan{4, 5});
}

TEST_CASE("lower case is taken letter by letter")
{
    const auto lower = [](std::string_view bytes) {
        text::AlignedText text = text::AlignedText::fromBytes(bytes);
        text::toLowerCase(text);
        return std::string(text.text());
    };
    CHECK(lower("AÉΣΑΣ ĲǄ ẞ İ") == "aéσασ ĳǆ ß i\u0307");
    CHECK(lower("já1ŀ") == "já1ŀ");
}

TEST_CASE("escaping invalid bytes loses nothing")
{
    std::mt19937 random(3);
    for (std::size_t size = 0; size < 400; ++size) {
        std::string bytes(size, '\0');
        for (char& byte : bytes)
            byte = static_cast<char>(random());
        const text::AlignedText text = text::AlignedText::fromBytes(bytes);
        CHECK(text::unescapeBytes(text.text()) == bytes);
        CHECK(text.origin({0, text.size()}) == text::ByteSpan{0, static_cast<std::uint32_t>(size)});
    }
}
