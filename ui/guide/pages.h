#pragma once

#include <QString>

#include <vector>

namespace hs::guide {

/// One page of the guide that ships with the program.
struct Page {
    QString name;  // "tour.md", as in links
    QString title;
    QString markdown;
};

/// The name of the page that links to all others.
inline constexpr const char* kGuideIndex = "index.md";

/// All pages: the index, then the others in the order in which it names them.
std::vector<Page> readGuide();

/// The path of a picture or page of the guide in the program's resources.
QString guideResource(const QString& name);

/// A heading as links refer to it: "What comes out?" is "what-comes-out".
QString headingAnchor(const QString& heading);

}  // namespace hs::guide
