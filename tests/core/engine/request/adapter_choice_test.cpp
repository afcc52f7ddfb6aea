#include "engine/request/adapter_choice.h"

#include "support/catch.h"

using namespace hs;

TEST_CASE("an adapter is chosen as a folder, with a strength or at 1")
{
    const auto parsed = [](const char* text) { return engine::parseAdapterChoice(text); };
    CHECK(*parsed("lora") == engine::AdapterChoice{"lora", 1});
    CHECK(*parsed("a/b:0.5") == engine::AdapterChoice{"a/b", 0.5});
    CHECK(*parsed("a:b:-2e1") == engine::AdapterChoice{"a:b", -20});
    CHECK(*parsed("lora:0") == engine::AdapterChoice{"lora", 0});
    for (const char* const text :
         {"lora:", "lora:much", "lora:nan", "lora:inf", "lora:1e999", ":1", "", "lora:1x"})
        CHECK_FALSE(parsed(text));
    for (const engine::AdapterChoice& choice :
         {engine::AdapterChoice{"lora", 1}, {"a:b", 1}, {"a", 0.25}, {"a:0.5", -1}})
        CHECK(*engine::parseAdapterChoice(toString(choice)) == choice);
}
