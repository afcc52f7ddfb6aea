#include "lint/cpp_tokens.h"
#include "lint/type_names.h"

#include "support/catch.h"

using namespace hs::lint;

namespace {

/// "hs::A hs::text::B"
std::string names(const std::string& text)
{
    std::string all;
    for (const TypeDefinition& type : typesOf(text))
        if (!type.isConstant)
            all += (all.empty() ? "" : " ") + (type.space.empty() ? "" : type.space + "::") + type.name;
    return all;
}

std::string tokens(const std::string& text)
{
    std::string all;
    for (const CppToken& token : cppTokens(text))
        all += (all.empty() ? "" : " ") + token.text;
    return all;
}

}  // namespace

TEST_CASE("comments, literals and preprocessor lines are no tokens")
{
    CHECK(tokens("a // { \n b /* { \n } */ c") == "a b c");
    CHECK(tokens("a = \"} \\\" {\" + '{' + '\\'' + R\"x(\" { )x\";") == "a = \"\" + '' + '' + \"\" ;");
    CHECK(tokens("#define X {\n  # include <a> \\\n } \nint a = 1'000'000; b::c") ==
          "int a = 1'000'000 ; b :: c");
    CHECK(tokens("u8R\"(})\" LR\"(})\" VAR\"}\"") == "\"\" \"\" VAR \"\"");
    const std::vector<CppToken> lines = cppTokens("a\n/* \n */ R\"(\n)\" b");
    REQUIRE(lines.size() == 3);
    CHECK(lines[1].line == 3);
    CHECK(lines[2].line == 4);
}

TEST_CASE("types of a namespace are found in every form")
{
    CHECK(
        names(
            "namespace hs {\nclass A { };\nstruct B final : C<int, D> { int x; };\nunion U { int a; };\n}") ==
        "hs::A hs::B hs::U");
    CHECK(names("namespace hs::text { enum class A : std::uint8_t { X }; enum B { Y }; enum { Z }; }") ==
          "hs::text::A hs::text::B");
    CHECK(names("namespace hs { inline namespace v1 { struct A {}; } } struct B {};") == "hs::v1::A B");
    CHECK(names("namespace hs { template <class T, int N> class A { }; template <class T> requires C<T> "
                "struct B { }; }") == "hs::A hs::B");
    CHECK(
        names("namespace hs { class [[nodiscard]] A { }; struct alignas(16) B { }; class HS_API C { }; }") ==
        "hs::A hs::B hs::C");
    CHECK(names("namespace hs { using A = int; template <class T> using B = C<T>; typedef int D; }") ==
          "hs::A hs::B hs::D");
    CHECK(names("extern \"C\" { struct A { }; } namespace { struct B { }; }") == "A (anonymous)::B");
    CHECK(names("namespace hs { struct A { int x; } a; struct B { B() : x{1} {} int x; }; }") ==
          "hs::A hs::B");
}

TEST_CASE("what only names a type does not define it")
{
    CHECK(
        names("namespace hs { class A; enum class B : int; struct C* c; using d::E; using namespace f; }") ==
        "");
    CHECK(names("namespace hs { struct Outer::Inner { }; template <> struct hash<A> { }; }") == "");
    CHECK(names("namespace hs { template <class T> void f(struct A* a) { struct B { }; using C = int; } }") ==
          "");
    CHECK(names("namespace hs { struct A f() { return {}; } const struct B b = { 1 }; bool operator<(A, B) { "
                "} }") == "");
    CHECK(names("namespace hs { struct A { struct B { }; enum C { }; using D = int; }; }") == "hs::A");
    CHECK(
        names("namespace fs = std::filesystem; int a[] = { 1, 2 }; auto f = [](auto x) { struct Y { }; };") ==
        "");
}

TEST_CASE("no two files define a type of one name in one namespace")
{
    const std::string model = "namespace hs {\nstruct Model { };\n}";
    const Findings findings = checkTypeNames({{"core/a.h", model}, {"core/b.cpp", "\n" + model}});
    REQUIRE(findings.size() == 1);
    CHECK(findings[0] ==
          "core/b.cpp:3: hs::Model is defined in core/a.h:2, too; name one of them otherwise.");
    CHECK(
        checkTypeNames({{"core/a.h", model}, {"core/b.h", "namespace hs::b { struct Model { }; }"}}).empty());
    CHECK(checkTypeNames({{"core/a.h", model}, {"core/b.h", "namespace hs { struct Model; }"}}).empty());
    CHECK(checkTypeNames({{"core/a.h", "#if A\n" + model + "#else\n" + model + "\n#endif"}}).empty());
    CHECK(checkTypeNames({{"README.md", model}, {"core/b.h", model}}).empty());
}

TEST_CASE("types of an anonymous namespace stay in sources")
{
    const std::string types = "namespace hs { namespace { struct Model { }; } }";
    CHECK(checkTypeNames({{"core/a.cpp", types}}).empty());
    CHECK(checkTypeNames({{"core/a.h", types}}).size() == 1);
}

TEST_CASE("sources that may be compiled as one file have no types and constants of one name")
{
    for (const std::string what :
         {"struct Model { };", "constexpr int kMost = 3;", "const std::array<int, 2> kMost = { 1, 2 };",
          "constexpr int kMost[] = { 1 };"}) {
        CAPTURE(what);
        const std::string text = "namespace hs { namespace { " + what + " } }";
        CHECK(checkTypeNames({{"core/a.cpp", text}, {"core/b.cpp", text}}).size() == 1);
        CHECK(checkTypeNames({{"core/a.cpp", text}, {"core/b.cpp", "namespace hs::b { " + text + " }"}})
                  .empty());
        CHECK(checkTypeNames({{"tests/a.cpp", text}, {"tests/b.cpp", text}}).empty());
    }
    const std::string local = "namespace hs { namespace { void f() { constexpr int kMost = 3; } } }";
    CHECK(checkTypeNames({{"core/a.cpp", local}, {"core/b.cpp", local}}).empty());
}
