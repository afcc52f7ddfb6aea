#include "fuzz/target.h"

#include "base/failure.h"
#include "figures/files/figure_pdf.h"
#include "figures/files/figure_png.h"
#include "figures/files/figure_svg.h"

namespace hs::fuzz {
namespace {

constexpr qsizetype kLargestRatio = 2 * 1032;  // of a deflate stream, whose Latin-1 may become UTF-8

/// A picture's bytes go through all three readers: a file's name does not say what it is.
void check(std::string_view input)
{
    const QByteArrayView file(input.data(), static_cast<qsizetype>(input.size()));
    for (const auto& recipeIn : {figures::recipeInPdf, figures::recipeInPng, figures::recipeInSvg}) {
        const Result<QByteArray> recipe = guarded([&] { return recipeIn(file); });
        if (!recipe)
            requireRefusal(recipe.error());
        else
            require(recipe->size() <= kLargestRatio * file.size(), "a recipe is part of its file");
    }
}

const Target kTarget("figure_recipe", check);

}  // namespace
}  // namespace hs::fuzz
