#include "features/coders/yaml.h"
#include "support/catch.h"
#include "support/refusals.h"

using namespace hs;
using features::parseYaml;

namespace {

std::string refusal(const std::string& text)
{
    return test::refusalOf([&] { parseYaml(text, "config.yaml"); });
}

}  // namespace

TEST_CASE("settings in YAML are read as PyYAML reads them")
{
    const Json json =
        parseYaml("---\n"
                  "# a comment\n"
                  "name: \"org/model # 1\"  # and another\n"
                  "kind: it's a set\n"
                  "single: 'it''s'\n"
                  "k: 32\nshare: -1.5e-3\nflag: true\nnothing:\nempty: ~\n"
                  "address: hf://a/b/c.safetensors?revision=main\n"
                  "list:\n- one\n- 2\n- - 3\n  - 4\n"
                  "maps:\n"
                  "  - id: x\n    layer: 0\n\n  - id: y\n    layer: 1\n"
                  "  -\n    id: z\n"
                  "nested:\n  deep:\n    a: [1, two, \"three, 3\", [4]]\n  b: {c: 1, 'd': [2]}\n"
                  "windows: line\r\n",
                  "config.yaml");
    CHECK(json == Json::parse(R"({"name": "org/model # 1", "kind": "it's a set", "single": "it's", "k": 32,
        "share": -0.0015, "flag": true, "nothing": null, "empty": null,
        "address": "hf://a/b/c.safetensors?revision=main", "list": ["one", 2, [3, 4]],
        "maps": [{"id": "x", "layer": 0}, {"id": "y", "layer": 1}, {"id": "z"}],
        "nested": {"deep": {"a": [1, "two", "three, 3", [4]]}, "b": {"c": 1, "d": [2]}}, "windows": "line"})"));
    CHECK(parseYaml("", "config.yaml") == Json::object());
    CHECK(parseYaml("# nothing\n", "config.yaml") == Json::object());
}

TEST_CASE("YAML that settings have no need of is refused with its line")
{
    CHECK(refusal("a: 1\nb: &x 2\n").find("line 2 has an anchor") != std::string::npos);
    CHECK(refusal("a: *x\n").find("alias") != std::string::npos);
    CHECK(refusal("a: !!python/object:os.system x\n").find("tag") != std::string::npos);
    CHECK(refusal("a: |\n  text\n").find("several lines") != std::string::npos);
    CHECK(refusal("a: 1\na: 2\n").find("twice") != std::string::npos);
    CHECK(refusal("a: [1, 2\n").find("bracket") != std::string::npos);
    CHECK(refusal("a: \"x\n").find("quotation mark") != std::string::npos);
    CHECK(refusal("a: 'x' y\n").find("goes on") != std::string::npos);
    CHECK(refusal("just words\n").find("neither a key") != std::string::npos);
    CHECK(refusal("  a: 1\nb: 2\n").find("indented") != std::string::npos);
    CHECK(refusal(std::string(100, '[')).find("line 1") != std::string::npos);
    std::string deep;
    for (int level = 0; level < 100; ++level)
        deep += std::string(static_cast<std::size_t>(level), ' ') + "a:\n";
    CHECK(refusal(deep).find("too deep") != std::string::npos);
    CHECK(refusal(std::string((1 << 20) + 1, 'a')).find("too large") != std::string::npos);
}
