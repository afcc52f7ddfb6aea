#include "base/json_reader.h"

#include "support/catch.h"

#include <cmath>
#include <functional>

using namespace hs;

namespace {

enum class Fruit { Apple, Plum };

constexpr auto enumWords(Fruit)
{
    return std::to_array<EnumWord<Fruit>>(
        {{Fruit::Apple, "apple"}, {Fruit::Plum, "plum"}, {Fruit::Plum, "prune"}});
}

const Json kBasket = {{"rows", {{{"count", 3}, {"weight", nullptr}}, {{"count", 4.0}, {"weight", 1.5}}}},
                      {"fruit", "plum"},
                      {"open", true},
                      {"old", nullptr}};

JsonReader basket()
{
    return {kBasket, "basket.json", "pack it again"};
}

std::string refusal(const std::function<void(const JsonReader&)>& read)
{
    try {
        read(basket());
    } catch (const Failure& failure) {
        CHECK(failure.error().code == ErrorCode::BadFile);
        return failure.error().message;
    }
    return {};
}

}  // namespace

TEST_CASE("fields are read where they are, of whole numbers also those with a point")
{
    int sum = 0;
    for (const JsonReader& row : basket()["rows"].items(2))
        sum += row["count"].integer(0, 4);
    CHECK(sum == 7);
    CHECK(std::isnan(basket()["rows"][0]["weight"].numberOrNaN()));
    CHECK(basket()["rows"][1]["weight"].number() == 1.5);
    CHECK(basket()["fruit"].word<Fruit>() == Fruit::Plum);
    CHECK(basket()["open"].flag());
}

TEST_CASE("what is absent or null is what the caller says, and so is all within it")
{
    CHECK(basket()["size"].integer(1, 9, 7) == 7);
    CHECK(basket()["old"].text("none") == "none");
    CHECK(basket()["old"]["owner"]["name"].text("nobody") == "nobody");
    CHECK(basket()["kind"].word(Fruit::Apple) == Fruit::Apple);
    CHECK(basket()["old"].isNull());
    CHECK_FALSE(basket()["size"].isNull());
    CHECK_FALSE(basket()["old"]);
}

TEST_CASE("of several spellings the first that is there counts")
{
    CHECK(basket()[{"closed", "open"}].flag());
    CHECK(basket()[{"old", "fruit"}].text() == "plum");
    CHECK(refusal([](const JsonReader& json) { json[{"shut", "closed"}].flag(); }) ==
          "basket.json lacks \"shut\"; pack it again.");
}

TEST_CASE("a sentence says where in which file what is expected, and what helps")
{
    CHECK(refusal([](const JsonReader& json) { json["rows"][1]["count"].integer(0, 3); }) ==
          "basket.json: \"rows[1].count\" should be a whole number from 0 to 3, not 4.0; pack it again.");
    CHECK(refusal([](const JsonReader& json) { json["rows"].items(3); }) ==
          "basket.json: \"rows\" should be a list of 3, not a list of 2; pack it again.");
    CHECK(refusal([](const JsonReader& json) { json["rows"][2]["count"].integer(0, 3); }) ==
          "basket.json lacks \"rows[2]\"; pack it again.");
    CHECK(refusal([](const JsonReader& json) { json["handle"]["length"].number(); }) ==
          "basket.json lacks \"handle\"; pack it again.");
    CHECK(refusal([](const JsonReader& json) { json["open"]["wide"].flag(false); }) ==
          "basket.json: \"open\" should be an object in braces, not true; pack it again.");
    CHECK(refusal([](const JsonReader& json) { json["rows"][0]["weight"].number(); }) ==
          "basket.json: \"rows[0].weight\" should be a number, not null; pack it again.");
}

TEST_CASE("a word that an enum lacks is refused with those it has, never made a value")
{
    const Json pear = {{"fruit", "pear"}};
    CHECK_THROWS_WITH(JsonReader(pear, "basket.json", "pack it again")["fruit"].word<Fruit>(),
                      "basket.json: \"fruit\" should be one of \"apple\", \"plum\", \"prune\", not \"pear\"; "
                      "pack it again.");
    CHECK_THROWS_WITH(chosenBy<Fruit>("pear", "fruit"),
                      "There is no fruit \"pear\"; choose one of apple, plum, prune.");
    CHECK_FALSE(fromWord<Fruit>("Apple"));
    CHECK_FALSE(fromWord<Fruit>(""));
}

TEST_CASE("of several words for a value the first is written and all are read")
{
    CHECK(wordOf(Fruit::Plum) == "plum");
    CHECK(fromWord<Fruit>("prune") == Fruit::Plum);
    CHECK(chosenBy<Fruit>("plum", "fruit") == Fruit::Plum);
}
