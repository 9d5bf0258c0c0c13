"""Drawings as PDF, vectors and text, by reportlab."""

from __future__ import annotations

import io

from tutti.errors import UserError
from tutti.report.figures.drawing import Box, Button, Dot, Drawing, Mark, Path, Text
from tutti.report.figures.palette import COLOURS, LOOKS, Look

POINTS = 0.75  # a pixel is a 96th of an inch, a point a 72nd


class Sheet:
    """One page; its y axis points up."""

    def __init__(self, canvas, height: float):
        self.canvas, self.height = canvas, height

    def use(self, look: Look) -> dict[str, int]:
        """Sets colours; gives what of the next shape is drawn."""
        canvas = self.canvas
        if look.fill:
            canvas.setFillColor(COLOURS[look.fill][0])
        if look.stroke:
            canvas.setStrokeColor(COLOURS[look.stroke][0])
            canvas.setLineWidth(look.width)
            canvas.setDash([float(word) for word in look.dash.split()] if look.dash else [])
        canvas.setFillAlpha(look.opacity)
        canvas.setStrokeAlpha(look.opacity)
        return {"fill": int(look.fill is not None), "stroke": int(look.stroke is not None)}

    def draw(self, item: Mark) -> None:
        if isinstance(item, Button):
            for each in item.marks:
                self.draw(each)
            return
        how = self.use(LOOKS[item.look])
        match item:
            case Path():
                self.path(item, how)
            case Box():
                low = self.height - item.y - item.height
                if item.round:
                    self.canvas.roundRect(item.x, low, item.width, item.height, item.round, **how)
                else:
                    self.canvas.rect(item.x, low, item.width, item.height, **how)
            case Dot():
                self.canvas.circle(item.x, self.height - item.y, item.radius, **how)
            case Text():
                self.text(item)

    def path(self, item: Path, how: dict[str, int]) -> None:
        path = self.canvas.beginPath()
        for number, (x, y) in enumerate(item.points):
            (path.lineTo if number else path.moveTo)(x, self.height - y)
        if item.closed:
            path.close()
        self.canvas.drawPath(path, **how)

    def text(self, item: Text) -> None:
        look = LOOKS[item.look]
        canvas = self.canvas
        canvas.saveState()
        canvas.setFont("Helvetica-Bold" if look.bold else "Helvetica", look.size)
        canvas.translate(item.x, self.height - item.y)
        if item.upright:
            canvas.rotate(90)
        # The standard fonts know the letters of Western Europe alone.
        text = item.text.encode("cp1252", "replace").decode("cp1252")
        {"start": canvas.drawString, "middle": canvas.drawCentredString, "end": canvas.drawRightString}[item.anchor](
            0, 0, text
        )
        canvas.restoreState()


def file(drawing: Drawing) -> bytes:
    """The bytes of a file.  Raises UserError where reportlab is not installed."""
    try:
        from reportlab.pdfgen.canvas import Canvas
    except ImportError:
        raise UserError("PDF needs reportlab: pip install 'tutti[pdf]', or name a file that ends in .svg") from None
    stream = io.BytesIO()
    size = (drawing.width * POINTS, drawing.height * POINTS)
    canvas = Canvas(stream, pagesize=size, invariant=1, lang="en")
    canvas.setTitle(drawing.title)
    canvas.scale(POINTS, POINTS)
    sheet = Sheet(canvas, drawing.height)
    sheet.draw(Box(0, 0, drawing.width, drawing.height, "back"))
    for item in drawing.marks:
        sheet.draw(item)
    canvas.save()
    return stream.getvalue()
