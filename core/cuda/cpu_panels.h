#pragma once

#include <cstddef>
#include <cstring>
#include <vector>

namespace hs::cuda {

/// The right-hand side of a product, cut into panels of a few columns and padded with zeros. A panel's rows
/// are stored one after another, so that a product reads it from one end to the other.
class CpuPanels {
public:
    // A block of the product has to fit into registers; amd64 has 16 of four floats each.
    static constexpr int kColumns = 8;
    static constexpr int kRows = 4;

    static constexpr int roundedUp(int count) { return (count + kColumns - 1) / kColumns * kColumns; }

    CpuPanels(int rows, int columns)
        : m_rows(roundedUp(rows)), m_numbers(std::size_t(m_rows) * roundedUp(columns))
    {
    }

    float& at(int row, int column) { return m_numbers[place(row, column)]; }

    /// A block of the product: block = left * columns [column, column + kColumns) of the rows from `row` on.
    void multiply(const float* left,  // [kRows, depth]
                  std::size_t leftStride, int row, int depth, int column,
                  float* block,  // [kRows, kColumns]
                  std::size_t blockStride) const
    {
        const float* right = m_numbers.data() + place(row, column);
        Vector sums[kRows][kVectors] = {};
        for (int inner = 0; inner < depth; ++inner, right += kColumns)
            for (int part = 0; part < kVectors; ++part) {
                Vector numbers;
                std::memcpy(&numbers, right + part * kLanes, sizeof(Vector));
                for (int index = 0; index < kRows; ++index)
                    sums[index][part] += left[index * leftStride + inner] * numbers;
            }
        for (int index = 0; index < kRows; ++index)
            std::memcpy(block + index * blockStride, sums[index], sizeof(sums[index]));
    }

private:
    static constexpr int kLanes = 4;
    static constexpr int kVectors = kColumns / kLanes;
    using Vector __attribute__((vector_size(kLanes * sizeof(float)))) = float;

    std::size_t place(int row, int column) const
    {
        return (std::size_t(column / kColumns) * m_rows + row) * kColumns + column % kColumns;
    }

    int m_rows;
    std::vector<float> m_numbers;  // [panel, row, column of the panel]
};

}  // namespace hs::cuda
