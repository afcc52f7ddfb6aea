#include "text/vocabulary.h"

#include "base/failure.h"
#include "support/catch.h"

#include <string>

using namespace hs;

TEST_CASE("a vocabulary knows its tokens both ways, however many came after them")
{
    text::Vocabulary vocabulary;
    for (int id = 0; id < 5000; ++id)
        vocabulary.add("t" + std::to_string(id), 2 * id);
    CHECK(vocabulary.size() == 5000);
    CHECK(vocabulary.idEnd() == 9999);
    for (int id = 0; id < 5000; ++id) {
        REQUIRE(vocabulary.idOf("t" + std::to_string(id)) == static_cast<text::TokenId>(2 * id));
        REQUIRE(vocabulary.textOf(static_cast<text::TokenId>(2 * id)) == "t" + std::to_string(id));
    }
    CHECK_FALSE(vocabulary.idOf("t5000"));
    CHECK_FALSE(vocabulary.has(1));
    CHECK_FALSE(vocabulary.has(10'000));
}

TEST_CASE("a token that is added again has the last id, and both ids its text")
{
    text::Vocabulary vocabulary;
    vocabulary.add("a", 0);
    vocabulary.add("b", 0);
    vocabulary.add("a", 3);
    CHECK(vocabulary.idOf("a") == 3u);
    CHECK(vocabulary.idOf("b") == 0u);
    CHECK(vocabulary.textOf(0) == "b");
    CHECK(vocabulary.textOf(3) == "a");
    CHECK(vocabulary.size() == 2);
}

TEST_CASE("an empty text can be a token, which a gap is not")
{
    text::Vocabulary vocabulary;
    CHECK_FALSE(vocabulary.idOf(""));
    vocabulary.add("", 1);
    CHECK(vocabulary.idOf("") == 1u);
    CHECK(vocabulary.has(1));
    CHECK_FALSE(vocabulary.has(0));
    CHECK_FALSE(guarded([&] { return vocabulary.add("x", 5, 5), 0; }));
}
