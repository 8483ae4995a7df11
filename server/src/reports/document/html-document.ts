import { html, type Markup, trusted } from "../../platform/formats/html.ts";
import { draw } from "./charts.ts";
import type { DocumentChart, DocumentTable, ReportDocument } from "./document.ts";

/** No scripts, nothing external, whatever names it contains. */
export const HTML_HEADERS = {
  "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox allow-modals",
};

export function htmlDocument(document: ReportDocument): string {
  const { language, title, organization, period, compared, metrics, notes } = document;
  return html`<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><title>${title} – ${organization}</title><meta name="viewport" content="width=device-width, initial-scale=1"><style>${trusted(STYLE)}</style></head>
<body><main><header><p class="whose">${organization}</p><h1>${title}</h1><p class="when">${period}</p><p class="then">${compared}</p></header>
<dl class="metrics by-${metrics.length % 4 === 0 ? 4 : 3}">${metrics.map(({ label, value, before }) => html`<div><dt>${label}</dt><dd class="value">${value}</dd><dd>${before}</dd></div>`)}</dl>
${document.charts.map(chartMarkup)}
${document.tables.map(tableMarkup)}
<footer>${notes.map((note) => html`<p>${note}</p>`)}<p>${document.generated}</p></footer></main></body></html>
`.text;
}

const WIDTH = 720;
const HEIGHT = 120;
const round = (value: number) => Math.round(value * 100) / 100;

function chartMarkup(chart: DocumentChart): Markup {
  const { bars, lines } = draw(chart);
  return html`<section class="chart"><h2>${chart.title}</h2>
<div class="plot"><div class="axis"><span>${chart.topLabel}</span><span>${chart.bottomLabel}</span></div>
<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${chart.title}">
${bars.map((bar) => html`<rect x="${round(bar.x * WIDTH)}" y="${round(bar.y * HEIGHT)}" width="${round(bar.width * WIDTH)}" height="${round(bar.height * HEIGHT)}" fill="${bar.colour}"/>`)}
${lines.map(({ points, colour }) => html`<polyline points="${points.map(([x, y]) => `${round(x * WIDTH)},${round(y * HEIGHT)}`).join(" ")}" fill="none" stroke="${colour}" stroke-width="1.5" vector-effect="non-scaling-stroke"/>`)}
</svg></div>
<div class="ends"><span>${chart.firstLabel}</span><span>${chart.lastLabel}</span></div>
${chart.series.length > 1 && html`<ul class="legend">${chart.series.map(({ label, colour }) => html`<li><i style="background:${colour}"></i>${label}</li>`)}</ul>`}</section>`;
}

function tableMarkup({ title, columns, rows, note }: DocumentTable): Markup {
  return html`<section><h2>${title}</h2>${
    rows.length > 0 &&
    html`<table><thead><tr>${columns.map(({ head, align }) => html`<th scope="col" class="${align}">${head}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${row.map((cell, at) => html`<td class="${columns[at]?.align}" dir="auto">${cell}</td>`)}</tr>`)}</tbody></table>`
  }${note && html`<p class="note">${note}</p>`}</section>`;
}

/** Dark on white in any theme, for A4 and letter. */
const STYLE = `
@page { margin: 16mm 14mm }
* { box-sizing: border-box; margin: 0 }
html { color-scheme: light; background: #fff; color: #1c2230; font: 13px/1.45 Inter, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Noto Sans SC", "PingFang SC", "Microsoft YaHei", sans-serif; font-variant-numeric: tabular-nums; -webkit-print-color-adjust: exact; print-color-adjust: exact }
main { max-width: 820px; margin: 0 auto; padding: 32px 24px }
header { border-top: 4px solid #3f5fd0; padding-top: 16px; margin-bottom: 20px }
h1 { font-size: 24px; line-height: 1.2; margin: 2px 0 6px; overflow-wrap: anywhere }
h2 { font-size: 15px; margin: 26px 0 8px; break-after: avoid }
.whose { font-weight: 600; color: #3f5fd0; overflow-wrap: anywhere }
.then, dt, .metrics dd:last-child, .axis, .ends, .legend, .note, footer { color: #5b6475; font-size: 11px }
.metrics { display: grid; grid-template-columns: repeat(auto-fill, minmax(120px, 1fr)); gap: 1px; background: #dfe3ea; border: 1px solid #dfe3ea; border-radius: 6px; overflow: hidden }
.metrics div { background: #fff; padding: 10px 12px; break-inside: avoid }
.value { font-size: 17px; font-weight: 600; white-space: nowrap }
.chart { break-inside: avoid }
.plot { display: flex; gap: 8px; height: 120px }
.axis { display: flex; flex-direction: column; justify-content: space-between; text-align: right; min-width: 56px }
svg { flex: 1; min-width: 0; width: 100%; height: 120px; border-bottom: 1px solid #c4cad6; border-top: 1px dashed #e4e8ee }
.ends { display: flex; justify-content: space-between; padding-left: 64px }
.legend { display: flex; gap: 16px; padding: 6px 0 0 64px; list-style: none }
.legend i { display: inline-block; width: 8px; height: 8px; border-radius: 50%; margin-right: 6px }
table { width: 100%; border-collapse: collapse; font-size: 12px }
th { font-size: 11px; font-weight: 500; color: #5b6475; border-bottom: 1px solid #c4cad6; padding: 4px 6px; vertical-align: bottom }
td { border-bottom: 1px solid #eceff4; padding: 5px 6px; vertical-align: top }
tr { break-inside: avoid }
.start { text-align: left; overflow-wrap: anywhere }
td.start:not(:first-child), th.start:not(:first-child) { white-space: nowrap }
.end { text-align: right; white-space: nowrap }
th.end { white-space: normal }
.note { padding-top: 6px }
footer { margin-top: 28px; border-top: 1px solid #dfe3ea; padding-top: 10px }
@media print { .by-4 { grid-template-columns: repeat(4, 1fr) } .by-3 { grid-template-columns: repeat(3, 1fr) } }
@media (max-width: 560px) { main { padding: 20px 14px } section { overflow-x: auto } }
`;
