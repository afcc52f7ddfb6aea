#pragma once

#include "cuda/pattern_summary.cuh"
#include "cuda/pattern_teams.cuh"

namespace hs::cuda {

/// The edits of one head, made where scores become weights: a factor is added to the exponent, and what rows grow by
/// is taken off the logarithms of their sums. Whatever is derived from weights then follows by itself.
struct HeadEdits {
    const PatternEdit* first = nullptr;
    int count = 0;

    __device__ HeadEdits() {}
    /// `slot`: of a head in a prompt.
    __device__ HeadEdits(const PatternProblem& problem, int slot)
        : first(problem.edits + problem.firstEdits[slot]),
          count(problem.firstEdits[slot + 1] - problem.firstEdits[slot])
    {
    }

    __device__ bool renormalises(int index) const { return first[index].renormalises != 0; }

    /// Edits that renormalise and follow one another: their rows grow once for all of them.
    __device__ int runFrom(int index) const
    {
        while (index < count && !renormalises(index))
            ++index;
        return index;
    }
    __device__ int endOfRun(int index) const
    {
        while (index < count && renormalises(index))
            ++index;
        return index;
    }
    __device__ int runs() const
    {
        int runs = 0;
        for (int index = runFrom(0); index < count; index = runFrom(endOfRun(index)))
            ++runs;
        return runs;
    }
};

/// Makes the edits [begin, end) of a tile's columns, without what rows grow by. Returns how many cells they close that
/// were open. `cells` are products, which `scale` turns into exponents to base two.
template <int kN>
__device__ int editCells(float (&cells)[kN][4], const LaneSummary& summary, const HeadEdits& edits, int begin,
                         int end, int firstKey, float scale, const Lane& lane)
{
    int closed = 0;
#pragma unroll 1
    for (int index = begin; index < end; ++index) {
        const PatternEdit edit = edits.first[index];
        const bool isInRow[2] = {summary.query[0] >= edit.query && summary.query[0] < edit.queryEnd,
                                 summary.query[1] >= edit.query && summary.query[1] < edit.queryEnd};
        if (edit.key >= firstKey + 8 * kN || edit.keyEnd <= firstKey || !(isInRow[0] || isInRow[1]))
            continue;
        const float more = edit.factor > 0 ? log2f(edit.factor) / scale : 0;
#pragma unroll
        for (int n = 0; n < kN; ++n)
#pragma unroll
            for (int c = 0; c < 4; ++c) {
                const int key = firstKey + lane.col(n, c);
                if (!isInRow[c / 2] || key < edit.key || key >= edit.keyEnd)
                    continue;
                if (edit.factor > 0) {
                    cells[n][c] += more;
                } else {
                    closed += cells[n][c] > 0.5f * kHidden;
                    cells[n][c] = kHidden;
                }
            }
    }
    return closed;
}

/// Adds the weights of a lane's two rows.
template <int kN>
__device__ void addWeights(float (&totals)[2], const float (&cells)[kN][4], const LaneSummary& summary,
                           float scale)
{
#pragma unroll
    for (int n = 0; n < kN; ++n)
#pragma unroll
        for (int c = 0; c < 4; ++c)
            totals[c / 2] += powerOfTwo(fmaf(cells[n][c], scale, -summary.logSum[c / 2]));
}

/// Cells above one half, of which edited rows may have several.
template <int kN>
__device__ int cellsAboveHalf(const float (&cells)[kN][4], const LaneSummary& summary, float scale)
{
    int above = 0;
#pragma unroll
    for (int n = 0; n < kN; ++n)
#pragma unroll
        for (int c = 0; c < 4; ++c)
            above += powerOfTwo(fmaf(cells[n][c], scale, -summary.logSum[c / 2])) > 0.5f;
    return above;
}

/// Lets the weights of a lane's rows grow from the sums that are left of them to those that there were, both over all
/// lanes and teams. To be called by the whole block.
template <class T, class Form>
__device__ void growRows(SharedTiles<T, Form>& shared, LaneSummary& summary, const float (&before)[2],
                         const float (&left)[2], int team, const Lane& lane)
{
    __syncthreads();  // others may still read what was passed last
#pragma unroll
    for (int half = 0; half < 2; ++half) {
        float was = before[half], is = left[half];
#pragma unroll
        for (int other = 1; other < 4; other *= 2) {
            was += __shfl_xor_sync(kAllLanes, was, other);
            is += __shfl_xor_sync(kAllLanes, is, other);
        }
        if (lane.t == 0) {
            shared.most[team][lane.row(2 * half)] = was;
            shared.sum[team][lane.row(2 * half)] = is;
        }
    }
    __syncthreads();
#pragma unroll
    for (int half = 0; half < 2; ++half) {
        float was = 0, is = 0;
        for (int each = 0; each < Form::kTeams; ++each) {
            was += shared.most[each][lane.row(2 * half)];
            is += shared.sum[each][lane.row(2 * half)];
        }
        if (is > 0)  // otherwise nothing is left that could grow
            summary.logSum[half] -= log2f(was / is);
    }
}

}  // namespace hs::cuda
