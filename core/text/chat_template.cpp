#include "text/chat_template.h"

#include "base/failure.h"

#include <algorithm>

namespace hs::text {
namespace {

using Place = ChatTemplate::SystemPlace;

/// Turns of the form <|im_start|>role … <|im_end|>.
constexpr ChatTemplate chatMl(std::string_view name, ChatTemplate::Marks marks,
                              std::optional<std::string_view> defaultSystem = {})
{
    return {.name = name,
            .others = {},
            .marks = marks,
            .strangers = {},
            .needs = "<|im_start|>",
            .begin = {},
            .system = {"<|im_start|>system\n", "<|im_end|>\n"},
            .defaultSystem = defaultSystem,
            .user = {"<|im_start|>user\n", "<|im_end|>\n"},
            .assistant = {"<|im_start|>assistant\n", "<|im_end|>\n"},
            .between = {},
            .answer = "<|im_start|>assistant\n",
            .end = {}};
}

constexpr ChatTemplate plainChatMl()
{
    ChatTemplate plain = chatMl("chatml", {"<|im_start|>", "<|im_end|>"});
    plain.strangers = {"<think>", "bos_token", "eos_token", "system\nYou", "system\\nYou"};
    return plain;
}

constexpr ChatTemplate qwen3()
{
    ChatTemplate made = chatMl("qwen3", {"<|im_start|>", "enable_thinking is false", "last_query_index"});
    made.thinks = true;
    return made;
}

constexpr ChatTemplate olmo3(std::string_view name, std::string_view mark, std::string_view system)
{
    ChatTemplate made = chatMl(name, {"<|im_start|>", mark}, system);
    made.strangers = {"<think>"};
    made.assistant.after = {};
    made.between = "<|im_end|>\n";
    made.end = "<|endoftext|>";
    return made;
}

constexpr ChatTemplate llama3(std::string_view name, ChatTemplate::Marks marks)
{
    return {.name = name,
            .others = {},
            .marks = marks,
            .strangers = {},
            .needs = "<|start_header_id|>",
            .begin = "<|begin_of_text|>",
            .system = {"<|start_header_id|>system<|end_header_id|>\n\n", "<|eot_id|>", true},
            .defaultSystem = {},
            .user = {"<|start_header_id|>user<|end_header_id|>\n\n", "<|eot_id|>", true},
            .assistant = {"<|start_header_id|>assistant<|end_header_id|>\n\n", "<|eot_id|>", true},
            .between = {},
            .answer = "<|start_header_id|>assistant<|end_header_id|>\n\n",
            .end = {}};
}

constexpr ChatTemplate llama31()
{
    ChatTemplate made = llama3("llama3.1", {"<|start_header_id|>", "Cutting Knowledge Date: December 2023"});
    made.others = {"llama3.2", "llama3.3"};
    made.system.before = "<|start_header_id|>system<|end_header_id|>\n\nCutting Knowledge Date: December "
                         "2023\nToday Date: {date}\n\n";
    made.defaultSystem = "";
    return made;
}

constexpr ChatTemplate gemma(std::string_view name, Place place, ChatTemplate::Marks marks)
{
    return {.name = name,
            .others = {},
            .marks = marks,
            .strangers = {"+ '\\n' -%}", "+ '\n' -%}"},  // Gemma 3's first form: one line's end
            .needs = "<start_of_turn>",
            .begin = "<bos>",
            .systemPlace = place,
            .system = {"", "\n\n"},
            .defaultSystem = {},
            .user = {"<start_of_turn>user\n", "<end_of_turn>\n", true},
            .assistant = {"<start_of_turn>model\n", "<end_of_turn>\n", true},
            .between = {},
            .answer = "<start_of_turn>model\n",
            .end = {},
            .alternates = true};
}

/// Llama 2's and Mistral's turns.
constexpr ChatTemplate instructions(std::string_view name, Place place, ChatTemplate::Marks marks,
                                    ChatTemplate::Frame user, ChatTemplate::Frame assistant)
{
    return {.name = name,
            .others = {},
            .marks = marks,
            .strangers = {},
            .needs = {},
            .begin = "<s>",
            .systemPlace = place,
            .system = {"", "\n\n"},
            .defaultSystem = {},
            .user = user,
            .assistant = assistant,
            .between = {},
            .answer = {},
            .end = {},
            .alternates = true};
}

constexpr ChatTemplate llama2()
{
    ChatTemplate made =
        instructions("llama2", Place::FirstUser, {"<<SYS>>", "bos_token + '[INST] '", "strip()"},
                     {"[INST] ", " [/INST]", true}, {" ", " </s>", true});
    made.strangers = {"elif true", "USE_DEFAULT_PROMPT"};  // forms with a system message of their own
    made.system = {"<<SYS>>\n", "\n<</SYS>>\n\n"};
    made.between = "<s>";
    made.trimsFolded = true;
    return made;
}

/// Turns of the form <|role|> on a line of its own.
constexpr ChatTemplate roleLines(std::string_view name, ChatTemplate::Marks marks,
                                 ChatTemplate::Marks strangers, std::string_view after,
                                 std::string_view afterAnswer)
{
    return {.name = name,
            .others = {},
            .marks = marks,
            .strangers = strangers,
            .needs = {},
            .begin = {},
            .system = {"<|system|>\n", after},
            .defaultSystem = {},
            .user = {"<|user|>\n", after},
            .assistant = {"<|assistant|>\n", afterAnswer},
            .between = {},
            .answer = "<|assistant|>\n",
            .end = {}};
}

constexpr ChatTemplate olmo2()
{
    ChatTemplate made =
        roleLines("olmo2", {"<|assistant|>", "{{ bos_token }}", "eos_token", "if not loop.last"}, {"<|end|>"},
                  "\n", "<|endoftext|>");
    made.begin = "<|endoftext|>";
    made.between = "\n";
    return made;
}

constexpr ChatTemplate phi3()
{
    ChatTemplate made = roleLines("phi3", {"<|end|>", "<|user|>", "{% else %}{{ eos_token }}{% endif %}"},
                                  {"bos_token"}, "<|end|>\n", "<|end|>\n");
    made.needs = "<|end|>";
    made.end = "<|endoftext|>";
    return made;
}

constexpr ChatTemplate phi4()
{
    ChatTemplate made = chatMl("phi4", {"<|im_sep|>"});
    made.needs = "<|im_sep|>";
    made.system = {"<|im_start|>system<|im_sep|>", "<|im_end|>"};
    made.user = {"<|im_start|>user<|im_sep|>", "<|im_end|>"};
    made.assistant = {"<|im_start|>assistant<|im_sep|>", "<|im_end|>"};
    made.answer = "<|im_start|>assistant<|im_sep|>";
    return made;
}

constexpr ChatTemplate zephyr()
{
    ChatTemplate made = roleLines("zephyr", {"<|user|>", "<|system|>", "message['content'] + eos_token }}"},
                                  {"<|end|>", "bos_token", "not loop.last"}, "</s>\n", "</s>\n");
    made.others = {"tinyllama"};
    return made;
}

// The first one that fits is taken.
constexpr auto kTemplates = std::to_array<ChatTemplate>({
    phi4(),
    chatMl("smollm2",
           {"<|im_start|>", "You are a helpful AI assistant named SmolLM, trained by Hugging Face<|im_end|>"},
           "You are a helpful AI assistant named SmolLM, trained by Hugging Face"),
    chatMl("qwen2.5",
           {"<|im_start|>", "You are Qwen, created by Alibaba Cloud. You are a helpful assistant.<|im_end|>"},
           "You are Qwen, created by Alibaba Cloud. You are a helpful assistant."),
    chatMl("qwen2", {"<|im_start|>", "You are a helpful assistant.<|im_end|>"},
           "You are a helpful assistant."),
    qwen3(),
    olmo3("olmo3", "You are a helpful function-calling AI assistant. ",
          "You are a helpful function-calling AI assistant. You do not currently have access to any "
          "functions. <functions></functions>"),
    olmo3("olmo3.1", "You are Olmo, a helpful AI assistant built by Ai2. Your date cutoff is December 2024",
          "You are Olmo, a helpful AI assistant built by Ai2. Your date cutoff is December 2024, and your "
          "model weights are available at https://huggingface.co/allenai. You do not currently have access "
          "to any functions. <functions></functions>"),
    plainChatMl(),
    llama31(),
    llama3("llama3", {"<|start_header_id|>", "bos_token"}),
    llama2(),
    instructions("mistral-v1", Place::FirstUser, {"' [INST] ' + message['content'] + ' [/INST]'"},
                 {" [INST] ", " [/INST]"}, {" ", "</s>"}),
    instructions(
        "mistral-v3", Place::LastMessage,
        {"loop.last and system_message is defined", "\"[INST] \" + message[\"content\"] + \"[/INST]\""},
        {"[INST] ", "[/INST]"}, {" ", "</s>", true}),
    instructions(
        "mistral-nemo", Place::LastMessage,
        {"loop.last and system_message is defined", "\"[INST]\" + message[\"content\"] + \"[/INST]\""},
        {"[INST]", "[/INST]"}, {"", "</s>"}),
    instructions("mixtral", Place::None,
                 {"'[INST] ' + message['content'] + ' [/INST]'", "message['content'] + eos_token}}"},
                 {"[INST] ", " [/INST]"}, {"", "</s>"}),
    gemma("gemma2", Place::None, {"<start_of_turn>", "bos_token", "System role not supported"}),
    gemma("gemma3", Place::FirstUser, {"<start_of_turn>", "bos_token", "first_user_prefix"}),
    olmo2(),
    phi3(),
    zephyr(),
});

bool isNamed(const ChatTemplate& one, std::string_view name)
{
    return !name.empty() && (one.name == name || std::ranges::find(one.others, name) != one.others.end());
}

}  // namespace

std::span<const ChatTemplate> chatTemplates()
{
    return kTemplates;
}

std::string chatTemplateNames()
{
    std::string names;
    for (const ChatTemplate& one : kTemplates) {
        names += (names.empty() ? "" : ", ") + std::string(one.name);
        for (const std::string_view other : one.others)
            names += other.empty() ? "" : ", " + std::string(other);
    }
    return names;
}

Result<const ChatTemplate*> chatTemplateNamed(std::string_view name)
{
    return guarded([&] {
        const auto found =
            std::ranges::find_if(kTemplates, [&](const ChatTemplate& one) { return isNamed(one, name); });
        if (found == kTemplates.end())
            fail(ErrorCode::BadRequest, "There is no chat template \"" + std::string(name) +
                                            "\"; choose one of " + chatTemplateNames() + ".");
        return &*found;
    });
}

const ChatTemplate* recogniseChatTemplate(std::string_view templateText)
{
    const auto isIn = [&](std::string_view mark) {
        return !mark.empty() && templateText.find(mark) != std::string_view::npos;
    };
    for (const ChatTemplate& one : kTemplates)
        if (std::ranges::all_of(one.marks,
                                [&](std::string_view mark) { return mark.empty() || isIn(mark); }) &&
            std::ranges::none_of(one.strangers, isIn))
            return &one;
    return nullptr;
}

}  // namespace hs::text
