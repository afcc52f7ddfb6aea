#include "engine/load/weight_upload_tensors.h"
#include "support/catch.h"

using namespace hs;

namespace {

constexpr std::size_t kBufferBytes = 4096;

std::vector<at::Device> devices()
{
    std::vector<at::Device> all = {at::kCPU};
    if (at::hasCUDA())
        all.emplace_back(at::kCUDA, 0);
    return all;
}

engine::WeightUpload::ReadRows rowsOf(const at::Tensor& source)
{
    return
        [source](std::int64_t first, const at::Tensor& to) { to.copy_(source.narrow(0, first, to.size(0))); };
}

}  // namespace

TEST_CASE("weights arrive with every bit, however many buffers they fill")
{
    engine::WeightUpload upload(kBufferBytes);
    for (const at::Device device : devices())
        for (const std::int64_t count : {0, 1, 2047, 2048, 2049, 70'001}) {
            INFO(device << ", " << count << " numbers");
            const at::Tensor source = at::randn({count}).to(at::kBFloat16);
            const at::Tensor target = at::empty({count}, source.options().device(device));
            upload.copy(target, rowsOf(source));
            CHECK(target.to(at::kCPU).equal(source));
        }
}

TEST_CASE("weights of another type are those that a conversion gives")
{
    engine::WeightUpload upload(kBufferBytes);
    for (const at::Device device : devices())
        for (const at::ScalarType type : {at::kFloat, at::kBFloat16, at::kHalf}) {
            const at::Tensor source = at::randn({50, 77}, at::kDouble);
            const at::Tensor target = at::empty({50, 77}, at::TensorOptions(type).device(device));
            upload.copy(target, rowsOf(source));
            CHECK(target.to(at::kCPU).equal(source.to(type)));
        }
}

TEST_CASE("a weight that the file holds across its rows arrives in order")
{
    engine::WeightUpload upload(kBufferBytes);
    for (const at::Device device : devices()) {
        const at::Tensor source = at::randn({77, 50}).t();
        const at::Tensor whole = at::zeros({60, 77}, source.options().device(device));
        upload.copy(whole.narrow(0, 5, 50), rowsOf(source));
        CHECK(whole.narrow(0, 5, 50).to(at::kCPU).equal(source));
        CHECK(whole.to(at::kCPU).abs().sum().item<float>() == Approx(source.abs().sum().item<float>()));
    }
}

TEST_CASE("what is computed with a weight while others travel sees it whole")
{
    engine::WeightUpload upload(kBufferBytes);
    for (const at::Device device : devices()) {
        at::Tensor sums = at::zeros({100}, device);
        for (std::int64_t index = 0; index < sums.size(0); ++index) {
            // Each tensor's memory is given back at once and reused by the next.
            const at::Tensor target = at::empty({20'000}, device);
            upload.copy(target, rowsOf(at::full({20'000}, static_cast<float>(index))));
            sums[index] = target.mean();
        }
        upload.finish();
        CHECK(sums.to(at::kCPU).allclose(at::arange(100, at::kFloat)));
    }
}
