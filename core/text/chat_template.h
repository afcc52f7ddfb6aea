#pragma once

#include "base/result.h"

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace hs::text {

/// What a family of models puts around the messages of a chat, as plain data: the templates in models' files are
/// programs and are never run.
struct ChatTemplate {
    /// What stands around a message.
    struct Frame {
        std::string_view before;
        std::string_view after;
        bool trims = false;  // white space at the ends of the message is left out
    };

    enum class SystemPlace {
        Turn,         // a message like the others
        FirstUser,    // at the start of the user's first message
        LastMessage,  // at the start of the last message, if that is the user's; otherwise nowhere
        None,         // refused
    };

    using Names = std::array<std::string_view, 3>;  // empty: no more
    using Marks = std::array<std::string_view, 5>;

    std::string_view name;
    Names others;            // further names of the same template
    Marks marks;             // a model's template that has all of these ...
    Marks strangers;         // ... and none of these is this one
    std::string_view needs;  // a token that the tokenizer must have, or the frames are cut like words
    std::string_view begin;  // the token that begins the text; empty: none
    SystemPlace systemPlace = SystemPlace::Turn;
    Frame system;
    std::optional<std::string_view> defaultSystem;  // the system message of a chat that has none
    Frame user;
    Frame assistant;
    std::string_view between;  // after an answer that another message follows
    std::string_view answer;   // begins the answer that is to come
    std::string_view end;      // after the last message if it is an answer
    bool alternates = false;   // refuses all but user and assistant in turn
    bool trimsFolded = false;  // trims the user's message together with the system message in it
    bool thinks = false;       // thoughts (<think>) are kept in the last answer only
};

/// Stands in frames for Chat::date.
inline constexpr std::string_view kDateMark = "{date}";
/// What templates say where no date is given.
inline constexpr std::string_view kDefaultDate = "26 Jul 2024";

std::span<const ChatTemplate> chatTemplates();

/// The names of all templates, with commas between.
std::string chatTemplateNames();

Result<const ChatTemplate*> chatTemplateNamed(std::string_view name);

/// The template that the text of a model's own template tells, by marks in it; null: none known.
const ChatTemplate* recogniseChatTemplate(std::string_view templateText);

}  // namespace hs::text
