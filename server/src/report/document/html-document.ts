import { html, type Markup, trusted } from "../../page/render/html.ts";
import type { DocumentChart, DocumentTable, ReportDocument } from "./document.ts";
import { draw } from "./drawing.ts";
import { STYLE } from "./html-style.ts";

/** It runs nothing and asks for nothing, whatever names are in it. */
export const HTML_HEADERS = {
  "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox allow-modals",
};

/** A report as a page for paper, which needs nothing else. */
export function htmlDocument(document: ReportDocument): string {
  const { language, title, organization, period, compared, figures, notes } = document;
  return html`<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><title>${title} – ${organization}</title><meta name="viewport" content="width=device-width, initial-scale=1"><style>${trusted(STYLE)}</style></head>
<body><main><header><p class="whose">${organization}</p><h1>${title}</h1><p class="when">${period}</p><p class="then">${compared}</p></header>
<dl class="figures by-${figures.length % 4 === 0 ? 4 : 3}">${figures.map(({ label, value, before }) => html`<div><dt>${label}</dt><dd class="value">${value}</dd><dd>${before}</dd></div>`)}</dl>
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
