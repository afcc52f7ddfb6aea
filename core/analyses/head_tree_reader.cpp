#include "analyses/head_json.h"
#include "analyses/head_tree.h"
#include "base/failure.h"

#include <algorithm>
#include <cmath>

namespace hs::analyses {
namespace {

constexpr std::uint64_t kLargestPage = std::uint64_t{256} << 20;
constexpr const char* kRemedy = "make it again with headscope heads, or give the folder of another export";

/// A metric's standard deviation over the heads of several trees; 0 where they do not differ.
double spreadOf(const std::string& metric, std::initializer_list<const HeadTree*> trees)
{
    double sum = 0;
    double squares = 0;
    double count = 0;
    for (const HeadTree* const tree : trees)
        for (const auto& [head, row] : tree->heads)
            if (const auto found = row.numbers.find(metric); found != row.numbers.end()) {
                sum += found->second;
                squares += found->second * found->second;
                ++count;
            }
    const double mean = count > 0 ? sum / count : 0;
    return count > 0 ? std::sqrt(std::max(0.0, squares / count - mean * mean)) : 0;
}

}  // namespace

std::filesystem::path headPageFile(const std::filesystem::path& folder, HeadId head)
{
    return folder / "heads" / (toString(head) + ".json");
}

HeadTree openHeadTree(const std::filesystem::path& folder)
{
    if (!std::filesystem::is_regular_file(folder / "scatter_data.json"))
        fail(ErrorCode::NotFound,
             folder.string() +
                 " holds no pages of heads: there is no scatter_data.json in it; give the folder "
                 "that headscope heads or HeadVis wrote.");
    HeadTree tree;
    tree.folder = folder;
    const Json config = readJsonFile(folder / "config.json");
    const JsonReader about(config, (folder / "config.json").string(), kRemedy);
    tree.model = about["model_name"].text("");
    tree.corpus = about["dataset_name"].text("");
    for (const JsonReader& name : about["metrics"].items())
        tree.metrics.push_back(name.text());
    const Json scatter = readJsonFile(folder / "scatter_data.json", kLargestPage);
    const JsonReader rows(scatter, (folder / "scatter_data.json").string(), kRemedy);
    for (const JsonReader& row : rows.items()) {
        HeadTreeRow& read = tree.heads[headFrom(row)];
        for (const std::string& metric : tree.metrics)
            if (const JsonReader value = row[metric.c_str()])
                read.numbers[metric] = value.number();
        read.kind = row["kind"].text("");
    }
    if (tree.heads.empty())
        rows.bad("has no heads");
    return tree;
}

Json readHeadPage(const HeadTree& tree, HeadId head)
{
    if (!tree.heads.contains(head))
        fail(ErrorCode::NotFound, tree.folder.string() + " has no page of " + toString(head) +
                                      "; choose a head that it has, such as " +
                                      toString(tree.heads.begin()->first) + ".");
    return readJsonFile(headPageFile(tree.folder, head), kLargestPage);
}

std::vector<HeadTreeDifference> compareHeadTrees(const HeadTree& first, const HeadTree& second)
{
    std::map<std::string, double> spreads;
    for (const std::string& metric : first.metrics)
        if (std::ranges::count(second.metrics, metric) > 0)
            if (const double spread = spreadOf(metric, {&first, &second}); spread > 0)
                spreads[metric] = spread;
    std::vector<HeadTreeDifference> differences;
    for (const auto& [head, row] : first.heads) {
        const auto other = second.heads.find(head);
        if (other == second.heads.end())
            continue;
        HeadTreeDifference difference{head, 0, {}, 0, 0};
        double most = -1;
        double squares = 0;
        int count = 0;
        for (const auto& [metric, spread] : spreads) {
            const auto a = row.numbers.find(metric);
            const auto b = other->second.numbers.find(metric);
            if (a == row.numbers.end() || b == other->second.numbers.end())
                continue;
            const double apart = std::abs(a->second - b->second) / spread;
            squares += apart * apart;
            ++count;
            if (apart > most) {
                most = apart;
                difference.metric = metric;
                difference.first = a->second;
                difference.second = b->second;
            }
        }
        difference.distance = count > 0 ? std::sqrt(squares / count) : 0;
        if (count > 0 || spreads.empty())
            differences.push_back(std::move(difference));
    }
    if (differences.empty())
        fail(ErrorCode::BadRequest, first.folder.string() + " and " + second.folder.string() +
                                        " have no head with a number in common; compare pages of models "
                                        "with the same layers.");
    std::ranges::stable_sort(differences, std::ranges::greater{}, &HeadTreeDifference::distance);
    return differences;
}

}  // namespace hs::analyses
