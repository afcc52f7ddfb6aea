#pragma once

#include <QByteArray>
#include <QSize>

namespace hs::figures {

/// Length, name, content and checksum.
QByteArray pngChunk(const char* name, const QByteArray& content);

/// A text under a keyword, as it is.
QByteArray pngText(const QByteArray& keyword, const QByteArray& utf8);

enum class PngColours : char { Rgb = 2, Palette = 3, Rgba = 6 };

/// A whole file of 8 bits a channel; `chunks` come before the pixels.
QByteArray pngFile(QSize size, PngColours colours, const QByteArray& chunks, const QByteArray& deflatedLines);

bool isPng(QByteArrayView file);

/// The text under a keyword in a PNG file of anybody's, packed or not; null where it has none.
QByteArray pngTextIn(QByteArrayView file, QByteArrayView keyword);

}  // namespace hs::figures
