#pragma once

#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace hs::test {

/// A GGUF file put together by hand, so that it can be wrong in every way.
class GgufBytes {
public:
    // What the start of the file says; wrong if set.
    std::uint32_t version = 3;
    std::optional<std::uint64_t> tensorCount, pairCount;

    /// Ids as in the file.
    enum Type : std::uint32_t { U8, I8, U16, I16, U32, I32, F32, Bool, Text, Array, U64, I64, F64 };

    GgufBytes& raw(std::string_view key, std::uint32_t type, const std::string& value)
    {
        m_pairs[std::string(key)] = packed(type) + value;
        return *this;
    }
    GgufBytes& erase(const std::string& key)
    {
        m_pairs.erase(key);
        return *this;
    }
    GgufBytes& text(std::string_view key, std::string_view value)
    {
        return raw(key, Text, packedText(value));
    }
    GgufBytes& integer(std::string_view key, std::uint32_t value) { return raw(key, U32, packed(value)); }
    GgufBytes& number(std::string_view key, float value) { return raw(key, F32, packed(value)); }
    GgufBytes& flag(std::string_view key, bool value) { return raw(key, Bool, packed(value)); }
    GgufBytes& texts(std::string_view key, const std::vector<std::string>& values)
    {
        std::string bytes = packed<std::uint32_t>(Text) + packed<std::uint64_t>(values.size());
        for (const std::string& value : values)
            bytes += packedText(value);
        return raw(key, Array, bytes);
    }
    template <class T>
    GgufBytes& list(std::string_view key, std::uint32_t type, const std::vector<T>& values)
    {
        std::string bytes = packed(type) + packed<std::uint64_t>(values.size());
        for (const T value : values)
            bytes += packed(value);
        return raw(key, Array, bytes);
    }

    /// `shape` as torch counts; its place follows the tensors before it unless `offset` says otherwise.
    GgufBytes& tensor(std::string_view name, const std::vector<std::uint64_t>& shape, std::uint32_t type,
                      const std::string& data, std::optional<std::uint64_t> offset = {})
    {
        std::string info = packedText(name) + packed(static_cast<std::uint32_t>(shape.size()));
        for (auto extent = shape.rbegin(); extent != shape.rend(); ++extent)
            info += packed(*extent);
        m_infos += info + packed(type) + packed(offset.value_or(m_data.size()));
        m_data += data;
        m_data.resize((m_data.size() + 31) / 32 * 32);
        ++m_tensors;
        return *this;
    }
    GgufBytes& floats(std::string_view name, const std::vector<std::uint64_t>& shape,
                      const std::vector<float>& values)
    {
        std::string data(values.size() * sizeof(float), '\0');
        std::memcpy(data.data(), values.data(), data.size());
        return tensor(name, shape, 0, data);
    }

    std::string bytes() const
    {
        std::string pairs;
        for (const auto& [key, value] : m_pairs)
            pairs += packedText(key) + value;
        return bytesWith(m_pairs.size(), pairs);
    }

    /// With pairs that a map cannot hold.
    std::string bytesWith(std::uint64_t count, const std::string& pairs) const
    {
        std::string file = "GGUF" + packed(version) + packed(tensorCount.value_or(m_tensors)) +
                           packed(pairCount.value_or(count)) + pairs + m_infos;
        if (m_tensors > 0)
            file.resize((file.size() + 31) / 32 * 32);
        return file + m_data;
    }

    template <class T>
    static std::string packed(T value)
    {
        static_assert(std::is_trivially_copyable_v<T>);
        std::string bytes(sizeof value, '\0');
        std::memcpy(bytes.data(), &value, sizeof value);
        return bytes;
    }
    static std::string packedText(std::string_view value)
    {
        return packed<std::uint64_t>(value.size()) + std::string(value);
    }

private:
    std::map<std::string, std::string> m_pairs;  // key → type and value
    std::string m_infos;
    std::string m_data;
    std::uint64_t m_tensors = 0;
};

/// A llama of one layer with two heads, whose every weight is `weight`.
inline GgufBytes tinyGguf(float weight = 0.5f)
{
    static constexpr std::uint64_t kWidth = 8, kInner = 12, kWords = 6;
    GgufBytes file;
    file.text("general.architecture", "llama")
        .integer("general.file_type", 0)
        .integer("llama.block_count", 1)
        .integer("llama.context_length", 16)
        .integer("llama.embedding_length", kWidth)
        .integer("llama.feed_forward_length", kInner)
        .integer("llama.attention.head_count", 2)
        .integer("llama.attention.head_count_kv", 1)
        .number("llama.attention.layer_norm_rms_epsilon", 1e-5f)
        .text("tokenizer.ggml.model", "gpt2")
        .text("tokenizer.ggml.pre", "gpt-2")
        .texts("tokenizer.ggml.tokens", {"<|end|>", "a", "b", "Ġ", "ab", "Ġab"})
        .list<std::int32_t>("tokenizer.ggml.token_type", GgufBytes::I32, {3, 1, 1, 1, 1, 1})
        .texts("tokenizer.ggml.merges", {"a b", "Ġ ab"})
        .integer("tokenizer.ggml.bos_token_id", 0);
    const auto add = [&](const char* name, const std::vector<std::uint64_t>& shape) {
        std::uint64_t count = 1;
        for (const std::uint64_t extent : shape)
            count *= extent;
        file.floats(name, shape, std::vector<float>(count, weight));
    };
    add("token_embd.weight", {kWords, kWidth});
    add("blk.0.attn_norm.weight", {kWidth});
    add("blk.0.attn_q.weight", {kWidth, kWidth});
    add("blk.0.attn_k.weight", {kWidth / 2, kWidth});
    add("blk.0.attn_v.weight", {kWidth / 2, kWidth});
    add("blk.0.attn_output.weight", {kWidth, kWidth});
    add("blk.0.ffn_norm.weight", {kWidth});
    add("blk.0.ffn_gate.weight", {kInner, kWidth});
    add("blk.0.ffn_up.weight", {kInner, kWidth});
    add("blk.0.ffn_down.weight", {kWidth, kInner});
    add("output_norm.weight", {kWidth});
    return file;
}

}  // namespace hs::test
