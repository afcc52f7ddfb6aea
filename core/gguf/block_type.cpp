#include "gguf/block_type.h"

#include "gguf/unpack.h"

#include <algorithm>
#include <array>

namespace hs::gguf {
namespace {

/// Sorted by id.
constexpr std::array kTypes = {
    BlockType{0, "F32", 1, 4, unpackF32},
    BlockType{1, "F16", 1, 2, unpackF16},
    BlockType{2, "Q4_0", 32, 18, unpackQ4_0},
    BlockType{3, "Q4_1", 32, 20, unpackQ4_1},
    BlockType{6, "Q5_0", 32, 22, unpackQ5_0},
    BlockType{7, "Q5_1", 32, 24, unpackQ5_1},
    BlockType{8, "Q8_0", 32, 34, unpackQ8_0},
    BlockType{10, "Q2_K", 256, 84, unpackQ2_K},
    BlockType{11, "Q3_K", 256, 110, unpackQ3_K},
    BlockType{12, "Q4_K", 256, 144, unpackQ4_K},
    BlockType{13, "Q5_K", 256, 176, unpackQ5_K},
    BlockType{14, "Q6_K", 256, 210, unpackQ6_K},
    BlockType{16, "IQ2_XXS", 256, 66},
    BlockType{17, "IQ2_XS", 256, 74},
    BlockType{18, "IQ3_XXS", 256, 98},
    BlockType{19, "IQ1_S", 256, 50},
    BlockType{20, "IQ4_NL", 32, 18, unpackIq4Nl},
    BlockType{21, "IQ3_S", 256, 110},
    BlockType{22, "IQ2_S", 256, 82},
    BlockType{23, "IQ4_XS", 256, 136, unpackIq4Xs},
    BlockType{24, "I8", 1, 1},
    BlockType{25, "I16", 1, 2},
    BlockType{26, "I32", 1, 4},
    BlockType{27, "I64", 1, 8},
    BlockType{28, "F64", 1, 8},
    BlockType{29, "IQ1_M", 256, 56},
    BlockType{30, "BF16", 1, 2, unpackBf16},
    BlockType{34, "TQ1_0", 256, 54},
    BlockType{35, "TQ2_0", 256, 66},
    BlockType{39, "MXFP4", 32, 17},
    BlockType{40, "NVFP4", 64, 36},
    BlockType{41, "Q1_0", 128, 18},
    BlockType{42, "Q2_0", 64, 18},
};

struct FileType {
    std::uint64_t id;
    std::string_view name;
};

constexpr std::array kFileTypes = {
    FileType{0, "F32"},     FileType{1, "F16"},     FileType{2, "Q4_0"},    FileType{3, "Q4_1"},
    FileType{7, "Q8_0"},    FileType{8, "Q5_0"},    FileType{9, "Q5_1"},    FileType{10, "Q2_K"},
    FileType{11, "Q3_K_S"}, FileType{12, "Q3_K_M"}, FileType{13, "Q3_K_L"}, FileType{14, "Q4_K_S"},
    FileType{15, "Q4_K_M"}, FileType{16, "Q5_K_S"}, FileType{17, "Q5_K_M"}, FileType{18, "Q6_K"},
    FileType{25, "IQ4_NL"}, FileType{30, "IQ4_XS"}, FileType{32, "BF16"},
};

constexpr std::uint64_t kGuessed = 1024;  // added by a writer that did not know

}  // namespace

const BlockType* blockTypeOf(std::uint32_t id)
{
    const auto* const found = std::ranges::lower_bound(kTypes, id, {}, &BlockType::id);
    return found != kTypes.end() && found->id == id ? found : nullptr;
}

std::string_view fileTypeName(std::uint64_t fileType)
{
    const auto* const found = std::ranges::find(kFileTypes, fileType % kGuessed, &FileType::id);
    return found == kFileTypes.end() ? std::string_view() : found->name;
}

}  // namespace hs::gguf
