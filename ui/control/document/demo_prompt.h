#pragma once

namespace hs::control {

/// The demo pair's default prompt, and the same with the clue to the answer swapped: John gave, so Mary
/// gets; Mary gave, so John gets.
inline constexpr const char* kDemoPrompt = "When Mary and John went to the store , John gave a drink to";
inline constexpr const char* kDemoCorrupted = "When Mary and John went to the store , Mary gave a drink to";
inline constexpr const char* kDemoTarget = "Mary";
inline constexpr const char* kDemoVersus = "John";

}  // namespace hs::control
