#include "base/failure.h"
#include "golden_tokenizers.h"
#include "support/catch.h"
#include "text/chat.h"
#include "text/chat_text.h"
#include "text/prompt.h"
#include "text/tokenizer_parts.h"

#include <algorithm>

using namespace hs;
using namespace hs::test;
using text::TokenRole;

namespace {

/// What tests/golden/chats.py wrote.
Json goldenChats()
{
    return readJsonFile(goldenFolder().parent_path() / "chats.json");
}

/// The tokenizer that a family's golden tokens are of.
std::shared_ptr<const text::Tokenizer> tokenizerOf(const Json& family, const std::string& chatTemplate = {})
{
    Json json = goldenFile(family.at("style")).at("tokenizer");
    for (const Json& token : family.at("added"))
        json["added_tokens"].push_back(token);
    text::TokenizerParts parts = text::makeTokenizerParts(json);
    for (const Json& token : json["added_tokens"])
        if (token.at("content") == family.at("bos"))
            parts.bosId = token.at("id").get<text::TokenId>();
    parts.chatTemplate = chatTemplate;
    return std::make_shared<const text::Tokenizer>(std::move(parts));
}

const Json& familyOf(const Json& golden, const std::string& name)
{
    return *std::ranges::find_if(golden.at("families"),
                                 [&](const Json& family) { return family.at("template") == name; });
}

std::string promptOf(const Json& messages, const Json& family)
{
    return Json{{"messages", messages}, {"template", family.at("template")}, {"date", family.at("date")}}
        .dump();
}

std::vector<std::int64_t> idsOf(const std::vector<text::Token>& tokens)
{
    std::vector<std::int64_t> ids;
    for (const text::Token& token : tokens)
        ids.push_back(token.id);
    return ids;
}

/// The tokens' texts with their roles: "begin:<s> user:Hello".
std::string rolesOf(const text::PromptTokens& prompt)
{
    std::string words;
    for (const text::Token& token : prompt.tokens)
        words += std::string(wordOf(token.role)) + ":" + token.text + "|";
    return words;
}

std::string messageOf(const std::string& chat, const std::string& name)
{
    const auto made = guarded([&] {
        return text::chatText(orThrow(text::parseChat(chat, "chat.json")),
                              *orThrow(text::chatTemplateNamed(name)));
    });
    REQUIRE_FALSE(made);
    return made.error().message;
}

}  // namespace

TEST_CASE("a chat is the text and the tokens that transformers makes of it, or refused as there")
{
    const Json golden = goldenChats();
    CHECK(golden.at("families").size() >= text::chatTemplates().size());
    int count = 0;
    for (const Json& family : golden.at("families")) {
        const auto tokenizer = tokenizerOf(family);
        for (std::size_t number = 0; number < golden.at("chats").size(); ++number) {
            const Json& expected = family.at("chats").at(number);
            INFO(family.at("template") << ", chat " << number);
            const std::string json = promptOf(golden.at("chats").at(number), family);
            const auto prompt = text::readPrompt(*tokenizer, json, /*isChat=*/true, /*hasBos=*/true);
            REQUIRE(prompt.ok() == !expected.is_null());
            if (!prompt)
                continue;
            const text::Chat chat = orThrow(text::parseChat(json, "chat"));
            CHECK(text::chatText(chat, *orThrow(text::chatTemplateNamed(chat.templateName))).text() ==
                  expected.at("text").get<std::string>());
            CHECK(idsOf(prompt->tokens) == expected.at("ids").get<std::vector<std::int64_t>>());
            ++count;
        }
    }
    CHECK(count > 250);
}

TEST_CASE("each token of a chat is the template's or one message's")
{
    const Json golden = goldenChats();
    const Json& llama3 = familyOf(golden, "llama3");
    const auto tokenizer = tokenizerOf(llama3);
    const std::string chat =
        R"({"template": "llama3", "messages": [{"role": "system", "content": "a"}, {"role": "user", "content": "b"}]})";
    const auto prompt = orThrow(text::readPrompt(*tokenizer, chat, true, true));
    const std::string roles = rolesOf(prompt);
    CHECK(roles.starts_with("begin:<|begin_of_text|>|frame:<|start_header_id|>|"));
    CHECK(roles.find("|system:a|frame:<|eot_id|>|") != std::string::npos);
    CHECK(roles.find("|user:b|frame:<|eot_id|>|") != std::string::npos);
    CHECK(std::ranges::count(prompt.tokens, TokenRole::Begin, &text::Token::role) == 1);
    CHECK(prompt.notes ==
          std::vector<std::string>{
              "The chat follows the template llama3 and begins with <|begin_of_text|>, once."});

    const auto without = orThrow(text::readPrompt(*tokenizer, chat, true, /*hasBos=*/false));
    CHECK(without.tokens.size() + 1 == prompt.tokens.size());
    CHECK(without.tokens.front().role == TokenRole::Frame);
}

TEST_CASE("a token over the border of template and message is the message's")
{
    const Json golden = goldenChats();
    const auto tokenizer = tokenizerOf(familyOf(golden, "llama2"));
    const auto prompt = orThrow(text::readPrompt(
        *tokenizer, R"({"template": "llama2", "messages": [{"role": "user", "content": "the dog"}]})", true,
        true));
    const auto user = std::ranges::find(prompt.tokens, TokenRole::User, &text::Token::role);
    REQUIRE(user != prompt.tokens.end());
    CHECK(user->text.ends_with("the"));  // with the space of "[INST] " before it
    CHECK(prompt.tokens.front().role == TokenRole::Begin);
    CHECK(prompt.tokens.back().role == TokenRole::Frame);
}

TEST_CASE("begin-of-text is never doubled, and said")
{
    Json json = goldenFile("llama2").at("tokenizer");
    json["post_processor"] = {
        {"type", "TemplateProcessing"},
        {"single",
         {{{"SpecialToken", {{"id", "<s>"}, {"type_id", 0}}}},
          {{"Sequence", {{"id", "A"}, {"type_id", 0}}}}}},
        {"pair", Json::array()},
        {"special_tokens", {{"<s>", {{"id", "<s>"}, {"ids", {1}}, {"tokens", {"<s>"}}}}}}};
    std::int64_t bos = -1;
    for (const Json& token : json["added_tokens"])
        if (token.at("content") == "<s>")
            bos = token.at("id").get<std::int64_t>();
    REQUIRE(bos >= 0);
    json["post_processor"]["special_tokens"]["<s>"]["ids"] = {bos};
    text::TokenizerParts parts = text::makeTokenizerParts(json);
    parts.bosId = static_cast<text::TokenId>(bos);
    const auto tokenizer = std::make_shared<const text::Tokenizer>(std::move(parts));

    const auto plain = orThrow(text::readPrompt(*tokenizer, "the dog", false, true));
    CHECK(plain.notes.empty());
    const auto doubled = orThrow(text::readPrompt(*tokenizer, "<s>the dog", false, true));
    CHECK(std::ranges::count(doubled.tokens, bos, &text::Token::id) == 1);
    CHECK(doubled.notes ==
          std::vector<std::string>{"The text begins with <s> itself, so no other is put before it."});
    const auto chat = orThrow(text::readPrompt(
        *tokenizer, R"({"template": "mistral-v1", "messages": [{"role": "user", "content": "the dog"}]})",
        true, true));
    CHECK(std::ranges::count(chat.tokens, bos, &text::Token::id) == 1);
    CHECK(chat.tokens.front().id == bos);
}

TEST_CASE("a chat that a template has no form for is refused with the remedy")
{
    const std::string system = R"({"role": "system", "content": "s"})";
    const std::string user = R"({"role": "user", "content": "u"})";
    const std::string assistant = R"({"role": "assistant", "content": "a"})";
    CHECK(messageOf("[]", "chatml") == "The chat has no messages; give at least one of the user.");
    CHECK(messageOf("[" + system + "," + user + "," + system + "]", "chatml") ==
          "The chat has two system messages; join them into the first one.");
    CHECK(messageOf("[" + user + "," + system + "]", "chatml") ==
          "The system message comes after other messages; put it first.");
    CHECK(messageOf("[" + system + "," + user + "]", "gemma2") ==
          "The chat template gemma2 has no place for a system message; put its text into the user's first "
          "message.");
    CHECK(messageOf("[" + system + "," + user + "," + user + "]", "gemma3") ==
          "The chat template gemma3 takes user and assistant in turn, the user first, but message 3 is the "
          "user's; join or reorder messages.");
    CHECK(messageOf("[" + assistant + "]", "llama2") ==
          "The chat template llama2 takes user and assistant in turn, the user first, but message 1 is the "
          "assistant's; join or reorder messages.");
    CHECK(messageOf("[" + system + "]", "mistral-v1") ==
          "The chat template mistral-v1 needs a message of the user beside the system message; add one.");
    CHECK(messageOf(R"([{"role": "tool", "content": "x"}])", "chatml") ==
          "chat.json: \"[0].role\" should be one of \"system\", \"user\", \"assistant\", not \"tool\"; "
          "correct it.");

    const auto unknown = text::chatTemplateNamed("llama9");
    REQUIRE_FALSE(unknown);
    CHECK(unknown.error().message.starts_with("There is no chat template \"llama9\"; choose one of phi4, "));
    CHECK(unknown.error().message.find("tinyllama") != std::string::npos);
    CHECK_FALSE(text::chatTemplateNamed(""));
}

TEST_CASE("the system message that a template would drop is told")
{
    const text::Chat chat{
        {{text::ChatRole::System, "s"}, {text::ChatRole::User, "u"}, {text::ChatRole::Assistant, "a"}},
        {},
        {}};
    const text::ChatTemplate& form = *orThrow(text::chatTemplateNamed("mistral-v3"));
    CHECK(text::chatText(chat, form).notes.size() == 1);
    CHECK(text::chatText(chat, form).text() == "<s>[INST] u[/INST] a</s>");
}

TEST_CASE("a model's own template is recognised by its marks and never run")
{
    const auto nameOf = [](std::string_view templateText) {
        const text::ChatTemplate* const found = text::recogniseChatTemplate(templateText);
        return found ? found->name : std::string_view();
    };
    for (const text::ChatTemplate& one : text::chatTemplates()) {
        std::string marks;
        for (const std::string_view mark : one.marks)
            marks += std::string(mark) + "\n";
        INFO(one.name);
        CHECK(nameOf(marks) == one.name);
        for (const std::string_view stranger : one.strangers)
            if (!stranger.empty())
                CHECK(nameOf(marks + std::string(stranger)) != one.name);
    }
    CHECK(nameOf("{% set x = 1 %}") == "");
    CHECK(nameOf("") == "");
    // ChatML with a system message or thoughts of its own is another one.
    CHECK(nameOf("<|im_start|>system\nYou are Hal<|im_end|>") == "");
    CHECK(nameOf("<|im_start|>assistant\n<think>\n<|im_end|>") == "");

    const Json golden = goldenChats();
    const std::string chat = R"([{"role": "user", "content": "a"}])";
    const auto read = [&](const std::string& own) {
        return text::readPrompt(*tokenizerOf(familyOf(golden, "chatml"), own), chat, true, true);
    };
    const auto known = read("{{ 1 / 0 }}<|im_start|><|im_end|>");
    REQUIRE(known);
    CHECK(known->notes.front() ==
          "The chat follows the template chatml and begins without a begin-of-text token.");
    REQUIRE_FALSE(read(""));
    CHECK(read("").error().message.starts_with("This model's files have no chat template; name one with "));
    CHECK(read("{{ x }}").error().message.starts_with("This model's chat template is not a known one; "));
}

TEST_CASE("a tokenizer without the template's tokens is told")
{
    const auto prompt = orThrow(text::readPrompt(
        *goldenTokenizer("gpt2"), R"({"template": "chatml", "messages": [{"role": "user", "content": "a"}]})",
        true, true));
    REQUIRE(prompt.notes.size() == 2);
    CHECK(prompt.notes.back().starts_with("This tokenizer has no token <|im_start|>, "));
}

TEST_CASE("a chat reads as it is written")
{
    for (const text::Chat& chat :
         {text::Chat{{{text::ChatRole::User, "a \"b\"\n\xe6\x97\xa5"}}, {}, {}},
          text::Chat{
              {{text::ChatRole::System, ""}, {text::ChatRole::Assistant, "x"}}, "gemma3", "1 Feb 2025"}})
        CHECK(orThrow(text::parseChat(text::chatJson(chat), "chat")) == chat);
}

TEST_CASE("a hostile chat is refused and never more")
{
    const auto refusal = [](const std::string& json) {
        const auto chat = text::parseChat(json, "chat.json");
        REQUIRE_FALSE(chat);
        return chat.error().message;
    };
    CHECK(refusal(std::string(1'000'000, '[')).find("nested too deeply") != std::string::npos);
    CHECK(refusal(R"([{"role": "user", "content": ")" + std::string(70u << 20, 'a') + R"("}])")
              .find("too large for a chat") != std::string::npos);
    CHECK(refusal("{}").find("messages") != std::string::npos);
    for (const char* const json :
         {"", "null", "7", "\"text\"", "[1]", "[[]]", R"([{"role": "user"}])", R"([{"content": "a"}])",
          R"([{"role": "user", "content": ["a"]}])", R"({"messages": {}})", R"({"messages": [], "date": 3})",
          "[{\"role\": \"user\", \"content\": \"\xff\"}]"})
        CHECK_FALSE(refusal(json).empty());
}
