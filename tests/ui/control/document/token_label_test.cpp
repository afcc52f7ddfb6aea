#include "control/document/token_label.h"

#include "support/catch.h"

using namespace hs;

TEST_CASE("spaces that a label would hide are seen, and very many take little room")
{
    CHECK(control::tokenLabel(" Mary") == "·Mary");
    CHECK(control::tokenLabel("the war") == "the war");
    CHECK(control::tokenLabel("    if") == "····if");
    CHECK(control::tokenLabel("a  b ") == "a··b ");
    CHECK(control::tokenLabel("\n" + std::string(17, ' ')) == "↵␣×17");
    CHECK(control::tokenLabel(std::string(9, ' ') + "x") == "␣×9x");
    CHECK(control::tokenLabel("") == "∅");
    CHECK(control::tokenLabel("\xe2\x82") == "\\xE2\\x82");
}
