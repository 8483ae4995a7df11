import type { DocumentChart } from "./document.ts";
import { draw } from "./drawing.ts";
import { heading, MARGIN, MUTED, RULE, type Sheet, WIDTH } from "./sheet.ts";

const HEIGHT = 92;
/** Left of it stands what the axis says. */
const AXIS = 56;

/** The charts, one below the other. */
export function drawCharts(sheet: Sheet, charts: readonly DocumentChart[]): void {
  for (const chart of charts) drawChart(sheet, chart);
}

function drawChart(sheet: Sheet, chart: DocumentChart): void {
  heading(sheet, chart.title, HEIGHT + 34);
  const { pdf, text, y } = sheet;
  const [x, width] = [MARGIN + AXIS, WIDTH - AXIS];
  const small = { size: 7.5, colour: MUTED } as const;
  const axis = { ...small, width: AXIS - 6, align: "end" } as const;
  text.write(chart.topLabel, MARGIN, y - 3, axis);
  text.write(chart.bottomLabel, MARGIN, y + HEIGHT - 8, axis);
  pdf.lineWidth(0.75).strokeColor(RULE);
  for (const share of [0, 0.5, 1]) {
    pdf
      .moveTo(x, y + share * HEIGHT)
      .lineTo(x + width, y + share * HEIGHT)
      .stroke();
  }
  const { bars, lines } = draw(chart);
  for (const bar of bars) {
    pdf.rect(x + bar.x * width, y + bar.y * HEIGHT, bar.width * width, bar.height * HEIGHT).fill(bar.colour);
  }
  pdf.lineWidth(1.25).lineJoin("round");
  for (const { points, colour } of lines) {
    for (const [at, [px, py]] of points.entries()) {
      if (at === 0) pdf.moveTo(x + px * width, y + py * HEIGHT);
      else pdf.lineTo(x + px * width, y + py * HEIGHT);
    }
    pdf.strokeColor(colour).stroke();
  }
  text.write(chart.firstLabel, x, y + HEIGHT + 4, { ...small, width: width / 2 });
  text.write(chart.lastLabel, x + width / 2, y + HEIGHT + 4, { ...small, width: width / 2, align: "end" });
  sheet.y += HEIGHT + 16;
  if (chart.series.length > 1) drawLegend(sheet, chart, x);
}

function drawLegend(sheet: Sheet, { series }: DocumentChart, from: number): void {
  const { pdf, text, y } = sheet;
  const room = (MARGIN + WIDTH - from) / series.length;
  for (const [at, { label, colour }] of series.entries()) {
    const x = from + at * room;
    pdf.circle(x + 3, y + 7, 3).fill(colour);
    text.write(label, x + 10, y + 2, { size: 7.5, colour: MUTED, width: room - 14 });
  }
  sheet.y += 14;
}
