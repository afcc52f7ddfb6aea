#pragma once

#include <QByteArray>
#include <QSize>

namespace hs::figures {

/// Length, name, content and checksum.
QByteArray pngChunk(const char* name, const QByteArray& content);

/// A text under a keyword, uncompressed.
QByteArray pngText(const QByteArray& keyword, const QByteArray& utf8);

enum class PngColours : char { Rgb = 2, Palette = 3, Rgba = 6 };

/// A whole file with 8 bits per channel; `chunks` come before the pixels.
QByteArray pngFile(QSize size, PngColours colours, const QByteArray& chunks, const QByteArray& deflatedLines);

bool isPng(QByteArrayView file);

/// The text under a keyword in any PNG file, compressed or not; null if it has none.
QByteArray pngTextIn(QByteArrayView file, QByteArrayView keyword);

}  // namespace hs::figures
