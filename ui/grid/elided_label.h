#pragma once

#include <QWidget>

namespace hs::grid {

/// One line of text, elided where it does not fit, with the whole text as its tooltip.
class ElidedLabel : public QWidget {
    Q_OBJECT

public:
    explicit ElidedLabel(QWidget* parent = nullptr);

    QString text() const { return m_text; }
    void setText(const QString& text);
    void setRole(QPalette::ColorRole role) { m_role = role; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void updateTooltip();

    QString m_text;
    QPalette::ColorRole m_role = QPalette::Text;
};

}  // namespace hs::grid
