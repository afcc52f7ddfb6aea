#pragma once

#include "base/atomic_file.h"

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace hs {

/// Writes arrays into one .npz file (an uncompressed zip of .npy members) that numpy.load opens.
/// The file appears whole under its name when `finish` returns, or not at all. Throws Failure.
class NpzWriter {
public:
    explicit NpzWriter(const std::filesystem::path& file) : m_file(AtomicFile::create(file)) {}

    void add(const std::string& name, std::span<const std::int64_t> values,
             const std::vector<std::int64_t>& shape);
    void add(const std::string& name, std::span<const double> values, const std::vector<std::int64_t>& shape);
    /// Texts as numpy has them, of its type `<U`. [text]
    void add(const std::string& name, std::span<const std::u32string> texts);
    /// `parts` one after the other make up the array, so that layers need not be joined first.
    void add(const std::string& name, std::span<const std::span<const float>> parts,
             const std::vector<std::int64_t>& shape);
    void finish();

private:
    struct Member {
        std::string name;
        std::uint32_t checksum = 0;
        std::uint64_t size = 0;
        std::uint64_t offset = 0;
    };

    void addMember(const std::string& name, std::string_view type,
                   std::span<const std::span<const std::byte>> parts, const std::vector<std::int64_t>& shape);
    void write(std::span<const std::byte> bytes);
    void writeDirectory();

    AtomicFile m_file;
    std::uint64_t m_position = 0;
    std::vector<Member> m_members;
};

}  // namespace hs
