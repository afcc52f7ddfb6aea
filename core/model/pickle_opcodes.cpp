#include "model/pickle_opcodes.h"

#include <algorithm>
#include <array>

namespace hs::model::pickle {

const PlainOpcode* findPlainOpcode(char code)
{
    static constexpr std::array<PlainOpcode, 15> kOpcodes = {{
        {kProto, 1, 0},  // the protocol's number: the only one that leaves nothing
        {'K', 1, 0},
        {'M', 2, 0},
        {'J', 4, 0},  // whole numbers
        {'G', 8, 0},  // a float
        {'N', 0, 0},
        {'\x88', 0, 0},
        {'\x89', 0, 0},  // None, True, False
        {')', 0, 0},
        {']', 0, 0},
        {'}', 0, 0},  // empty tuple, list, dict
        {'\x85', 0, 1},
        {'\x86', 0, 2},
        {'\x87', 0, 3},  // tuples of one, two, three
        {kStorage, 0, 1},
    }};
    const auto found = std::find_if(kOpcodes.begin(), kOpcodes.end(),
                                    [&](const PlainOpcode& plain) { return plain.code == code; });
    return found == kOpcodes.end() ? nullptr : &*found;
}

}  // namespace hs::model::pickle
