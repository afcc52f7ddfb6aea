#include "lint/type_names.h"

#include "lint/cpp_tokens.h"
#include "lint/include_rules.h"

#include <algorithm>
#include <map>
#include <set>

namespace hs::lint {
namespace {

const std::string kAnonymous = "(anonymous)";

using Tokens = std::vector<CppToken>;

bool isName(const std::string& text)
{
    return !text.empty() && (std::isalpha(static_cast<unsigned char>(text[0])) != 0 || text[0] == '_');
}

/// What is before a brace or a semicolon, without template parameters, attributes and arguments.
Tokens withoutBrackets(const Tokens& head)
{
    Tokens bare;
    int round = 0;
    int square = 0;
    int angles = 0;
    for (const CppToken& token : head) {
        const std::string& text = token.text;
        round += (text == "(") - (text == ")");
        square += (text == "[") - (text == "]");
        if (round == 0 && square == 0 && (text == "<" || (text == ">" && angles > 0))) {
            angles += text == "<" ? 1 : -1;
            if (angles == 0)
                bare.push_back({"<>", token.line});
        } else if (angles == 0 && square == 0 && text != "]" && (round == 0 || (round == 1 && text == "("))) {
            bare.push_back(token);
        }
    }
    return bare;
}

class TypeScanner {
public:
    std::vector<TypeDefinition> run(const Tokens& tokens)
    {
        Tokens head;
        for (const CppToken& token : tokens) {
            if (token.text == "{") {
                if (isInNamespace())
                    findConstant(head);
                m_scopes.push_back(isInNamespace() ? openedBy(head) : "");
                head.clear();
            } else if (token.text == "}") {
                if (!m_scopes.empty())
                    m_scopes.pop_back();
                head.clear();
            } else if (token.text == ";") {
                if (isInNamespace()) {
                    findAlias(head);
                    findConstant(head);
                }
                head.clear();
            } else {
                head.push_back(token);
            }
        }
        return m_found;
    }

private:
    /// Scopes are names of namespaces; an empty one is a body, which is not searched.
    bool isInNamespace() const { return std::ranges::find(m_scopes, "") == m_scopes.end(); }

    std::string openedBy(const Tokens& head)
    {
        if (head.size() == 2 && head[0].text == "extern" && head[1].text == "\"\"")
            return "extern";
        const auto space = std::ranges::find(head, "namespace", &CppToken::text);
        if (space != head.end() && (space == head.begin() || head.front().text == "inline"))
            return space + 1 == head.end() ? kAnonymous : joined({space + 1, head.end()});
        findType(withoutBrackets(head));
        return "";
    }

    static std::string joined(const Tokens& tokens)
    {
        std::string text;
        for (const CppToken& token : tokens)
            text += token.text;
        return text;
    }

    /// class Name final : Base
    void findType(const Tokens& head)
    {
        static const std::set<std::string> keywords = {"class", "struct", "union", "enum"};
        auto at = std::ranges::find_if(head, [](const auto& token) { return keywords.contains(token.text); });
        if (at == head.end() || std::ranges::find(head, "=", &CppToken::text) != head.end())
            return;
        CppToken name;
        for (++at; at != head.end() && at->text != ":"; ++at) {
            if (at->text == "<>" || at->text == "::")
                return;  // a specialisation, or a nested type
            if (at->text == "(" && name.text != "alignas" && !name.text.starts_with("__"))
                return;  // a function
            if (isName(at->text) && !keywords.contains(at->text) && at->text != "final")
                name = *at;
        }
        add(name, false);
    }

    /// using Name = Type; typedef Type Name;
    void findAlias(const Tokens& head)
    {
        const Tokens bare = withoutBrackets(head);
        if (bare.empty())
            return;
        const auto at = std::ranges::find(bare, "using", &CppToken::text);
        const bool isTemplate = bare.front().text == "template";
        if ((at == bare.begin() || isTemplate) && at != bare.end() && bare.end() - at > 2 &&
            (at + 2)->text == "=")
            add(*(at + 1), true);
        else if (bare.front().text == "typedef" && bare.back().text != "(")
            add(bare.back(), true);
    }

    /// constexpr int kName = 1;
    void findConstant(const Tokens& head)
    {
        const Tokens bare = withoutBrackets(head);
        const auto equals = std::ranges::find(bare, "=", &CppToken::text);
        if (bare.empty() || equals == bare.begin() || equals == bare.end())
            return;
        if (bare.front().text == "constexpr" || bare.front().text == "const")
            add(*(equals - 1), false, /*isConstant=*/true);
    }

    void add(const CppToken& name, bool isAlias, bool isConstant = false)
    {
        if (!isName(name.text))
            return;
        std::string space;
        for (const std::string& scope : m_scopes)
            if (scope != "extern")
                space += (space.empty() ? "" : "::") + scope;
        m_found.push_back({space, name.text, name.line, isAlias, isConstant});
    }

    std::vector<std::string> m_scopes;
    std::vector<TypeDefinition> m_found;
};

}  // namespace

std::vector<TypeDefinition> typesOf(const std::string& text)
{
    return TypeScanner().run(cppTokens(text));
}

Findings checkTypeNames(const std::vector<SourceFile>& files)
{
    Findings findings;
    std::map<std::pair<std::string, std::string>, std::string> places;  // (namespace, name) → "file:line"
    for (const SourceFile& file : files) {
        if (!isCpp(file.path))
            continue;
        for (const TypeDefinition& type : typesOf(file.text)) {
            const std::string place = file.path + ":" + std::to_string(type.line);
            if (type.space.empty() && type.isAlias)
                continue;  // a test's short name for something
            const bool isAnonymous = type.space.find(kAnonymous) != std::string::npos;
            if (isAnonymous && !type.isConstant && (file.path.ends_with(".h") || file.path.ends_with(".cuh")))
                findings.push_back(place + ": " + type.name + " is in an anonymous namespace of a header.");
            const bool isOfUnit = file.path.ends_with(".cpp") && !file.path.starts_with("tests/");
            if (isAnonymous ? type.isAlias || !isOfUnit : type.isConstant)
                continue;
            const auto [first, isNew] = places.try_emplace({type.space, type.name}, place);
            if (!isNew && !first->second.starts_with(file.path + ":"))
                findings.push_back(place + ": " + type.space + "::" + type.name + " is defined in " +
                                   first->second + ", too; name one of them otherwise.");
        }
    }
    return findings;
}

}  // namespace hs::lint
