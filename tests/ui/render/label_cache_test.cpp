#include "render/label_cache.h"

#include "support/catch.h"

using namespace hs;

namespace {

const render::LabelInks kInks = {0xff101010, 0xffffffff, 0xff808080, 0xfff0f0f0, 0xff000000};

int inkIn(const QImage& image, int left, int right)
{
    int ink = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = left; x < right; ++x)
            ink += qAlpha(image.pixel(x, y)) > 200 && qGray(image.pixel(x, y)) < 128;
    return ink;
}

}  // namespace

TEST_CASE("a label has ink from its first to its last letter, inside a halo")
{
    render::LabelCache cache;
    for (const int size : {7, 9, 11, 22}) {
        const QImage& label = cache.label({12, 7}, size, false, kInks);
        const int left = render::LabelCache::padding(size);
        const int width = static_cast<int>(render::LabelCache::width({12, 7}, size));
        CAPTURE(size);
        CHECK(inkIn(label, left, left + width / 3) > 2);
        CHECK(inkIn(label, left + 2 * width / 3, left + width) > 2);
        CHECK(inkIn(label, 0, left - 1) == 0);
        CHECK(qAlpha(label.pixel(left - 1, render::LabelCache::baseline(size) - size / 3)) > 0);
    }
}

TEST_CASE("labels differ by head, ablation and colours")
{
    render::LabelCache cache;
    const QImage plain = cache.label({1, 2}, 11, false, kInks);
    CHECK(cache.label({1, 2}, 11, false, kInks) == plain);
    CHECK(cache.label({2, 1}, 11, false, kInks) != plain);
    CHECK(cache.label({1, 2}, 11, true, kInks) != plain);
    render::LabelInks light = kInks;
    light.ink = 0xfff0f0f0;
    CHECK(cache.label({1, 2}, 11, false, light) != plain);
}
