#pragma once

#include <cstddef>

namespace hs::model::pickle {

// The pickle instructions that state dicts need, by what they do.
inline constexpr char kProto = '\x80';
inline constexpr char kLong1 = '\x8a';
inline constexpr char kText = 'X';
inline constexpr char kGlobal = 'c';
inline constexpr char kMark = '(';
inline constexpr char kTuple = 't';
inline constexpr char kSetItem = 's';
inline constexpr char kSetItems = 'u';
inline constexpr char kAppend = 'a';
inline constexpr char kAppends = 'e';
inline constexpr char kStop = '.';
inline constexpr char kPut = 'q';
inline constexpr char kLongPut = 'r';
inline constexpr char kGet = 'h';
inline constexpr char kLongGet = 'j';
inline constexpr char kCall = 'R';
inline constexpr char kBuild = 'b';
inline constexpr char kTupleOfTwo = '\x86';
inline constexpr char kEmptyTuple = ')';
inline constexpr char kEmptyDict = '}';
inline constexpr char kStorage = 'Q';

/// An opcode with an argument of fixed size that replaces its operands with one value.
struct PlainOpcode {
    char code;
    std::size_t argumentBytes;
    std::size_t operands;
};

/// Null for every other opcode.
const PlainOpcode* findPlainOpcode(char code);

}  // namespace hs::model::pickle
