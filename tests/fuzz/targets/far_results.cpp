#include "fuzz/target.h"

#include "base/failure.h"
#include "service/result_trees.h"

namespace hs::fuzz {
namespace {

using remote::Tree;

constexpr HeadShape kHeads{2, 3, 3};
constexpr std::size_t kChoices = 4 + service::kAnalyses.size();

/// What is read of a result can be sent again, and is then the same.
template <class Read>
void requireSame(const Tree& tree, const Read& read, const char* law)
{
    const Tree again = read(tree);
    require(remote::encodeTree(read(again)) == remote::encodeTree(again), law);
}

/// The first byte chooses what the rest is read as.
void check(std::string_view input)
{
    if (input.empty())
        return;
    const auto choice = static_cast<unsigned char>(input.front());
    const Result<bool> result = guarded([&] {
        const Tree tree = remote::decodeTree(input.substr(1));
        service::SideRequest request;
        auto model = std::make_shared<service::OpenModel>();
        model->heads = kHeads;
        model->context = 64;
        request.model = model;
        switch (choice % kChoices) {
        case 0:
            requireSame(
                tree,
                [](const Tree& from) {
                    return service::toTree(service::openModelFrom(remote::reader(from)));
                },
                "a model is read as it was sent");
            break;
        case 1:
            requireSame(
                tree,
                [&](const Tree& from) {
                    return service::toTree(service::sideResultFrom(remote::reader(from), request, nullptr),
                                           nullptr);
                },
                "a run is read as it was sent");
            break;
        case 2: service::layerMapFrom(remote::reader(tree), engine::MapKind::Scores, 3, 5); break;
        case 3:
            requireSame(
                tree,
                [](const Tree& from) {
                    return service::toTree(service::pooledMapsFrom(remote::reader(from), kHeads));
                },
                "tiles are read as they were sent");
            break;
        default: {
            const service::AnalysisKind kind = service::kAnalyses[choice % kChoices - 4];
            service::analysisResultFrom(remote::reader(tree), kind, kHeads);
        }
        }
        return true;
    });
    if (!result)
        requireRefusal(result.error());
}

const Target kTarget("far_results", check);

}  // namespace
}  // namespace hs::fuzz
