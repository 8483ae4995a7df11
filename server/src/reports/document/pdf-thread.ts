import PdfKit from "pdfkit";
import { handleRequests } from "../../platform/worker-pool.ts";
import { draw } from "./charts.ts";
import type { DocumentChart, DocumentColumn, DocumentTable, ReportDocument } from "./document.ts";
import { fontsOf, type PdfText, pdfText } from "./pdf-text.ts";

/** The current page; `y`: points from its top. */
interface Sheet {
  pdf: PDFKit.PDFDocument;
  text: PdfText;
  y: number;
}

/** A4, points. */
const PAGE = { width: 595.28, height: 841.89 };
const MARGIN = 48;
const WIDTH = PAGE.width - 2 * MARGIN;
/** Above the footer. */
const BOTTOM = PAGE.height - 64;

const INK = "#1c2230";
const MUTED = "#5b6475";
const RULE = "#dfe3ea";
const ACCENT = "#3f5fd0";

/** Starts a page where that many points do not fit; true if it did. */
function makeRoom(sheet: Sheet, height: number): boolean {
  if (sheet.y + height <= BOTTOM) return false;
  sheet.pdf.addPage();
  sheet.y = MARGIN;
  return true;
}

/** `roomBelow`: keeps it together with its content. */
function heading(sheet: Sheet, title: string, roomBelow: number): void {
  makeRoom(sheet, 34 + roomBelow);
  sheet.y += 16;
  sheet.text.write(title, MARGIN, sheet.y, { weight: "bold", size: 12, colour: INK, width: WIDTH });
  sheet.y += 22;
}

const COLUMNS = 4;
const CELL_HEIGHT = 48;

function drawHead(sheet: Sheet, document: ReportDocument): void {
  const { pdf, text } = sheet;
  pdf.rect(MARGIN, MARGIN, WIDTH, 4).fill(ACCENT);
  sheet.y = MARGIN + 18;
  text.write(document.organization, MARGIN, sheet.y, {
    weight: "bold",
    size: 10,
    colour: ACCENT,
    width: WIDTH,
  });
  sheet.y += 18;
  text.write(document.title, MARGIN, sheet.y, { weight: "bold", size: 20, colour: INK, width: WIDTH });
  sheet.y += 32;
  text.write(document.period, MARGIN, sheet.y, { size: 10, colour: INK, width: WIDTH });
  sheet.y += 15;
  text.write(document.compared, MARGIN, sheet.y, { size: 8.5, colour: MUTED, width: WIDTH });
  sheet.y += 22;
  drawMetrics(sheet, document.metrics);
}

function drawMetrics(sheet: Sheet, metrics: ReportDocument["metrics"]): void {
  const { pdf, text } = sheet;
  const columns = metrics.length % COLUMNS === 0 ? COLUMNS : 3;
  const rows = Math.ceil(metrics.length / columns);
  const width = WIDTH / columns;
  pdf.lineWidth(0.75).strokeColor(RULE);
  pdf.roundedRect(MARGIN, sheet.y, WIDTH, rows * CELL_HEIGHT, 4).stroke();
  for (let row = 1; row < rows; row += 1) {
    const y = sheet.y + row * CELL_HEIGHT;
    pdf
      .moveTo(MARGIN, y)
      .lineTo(MARGIN + WIDTH, y)
      .stroke();
  }
  for (const [at, { label, value, before }] of metrics.entries()) {
    const x = MARGIN + (at % columns) * width + 10;
    const y = sheet.y + Math.floor(at / columns) * CELL_HEIGHT;
    const room = { width: width - 16, isWhole: true };
    text.write(label, x, y + 7, { size: 7.5, colour: MUTED, ...room });
    text.write(value, x, y + 17, { weight: "bold", size: 12, colour: INK, ...room });
    text.write(before, x, y + 34, { size: 7.5, colour: MUTED, ...room });
  }
  sheet.y += rows * CELL_HEIGHT;
}

function drawNotes(sheet: Sheet, { notes }: ReportDocument): void {
  makeRoom(sheet, 20 + notes.length * 24);
  sheet.y += 16;
  for (const note of notes) {
    sheet.y += 3 + sheet.text.writeLines(note, MARGIN, sheet.y, { size: 8, colour: MUTED, width: WIDTH });
  }
}

function drawFooters({ pdf, text }: Sheet, { generated, pageLabel }: ReportDocument): void {
  const { count } = pdf.bufferedPageRange();
  for (let page = 0; page < count; page += 1) {
    pdf.switchToPage(page);
    const y = PAGE.height - 42;
    pdf.lineWidth(0.75).strokeColor(RULE);
    pdf
      .moveTo(MARGIN, y - 6)
      .lineTo(MARGIN + WIDTH, y - 6)
      .stroke();
    const label = pageLabel.replace("{page}", String(page + 1)).replace("{pages}", String(count));
    const small = { size: 8, colour: MUTED } as const;
    text.write(generated, MARGIN, y, { ...small, width: WIDTH - 90 });
    text.write(label, MARGIN + WIDTH - 90, y, { ...small, width: 90, align: "end" });
  }
}

const ROW_HEIGHT = 17;
const GAP = 8;
const LINE = "#c4cad6";

/** Each page repeats the heads. */
function drawTables(sheet: Sheet, tables: readonly DocumentTable[]): void {
  for (const table of tables) drawTable(sheet, table);
}

function drawTable(sheet: Sheet, { title, columns, rows, note }: DocumentTable): void {
  heading(sheet, title, 3 * ROW_HEIGHT);
  const places = placesOf(columns);
  if (rows.length > 0) drawHeads(sheet, columns, places);
  for (const row of rows) {
    if (makeRoom(sheet, ROW_HEIGHT)) drawHeads(sheet, columns, places);
    for (const [at, cell] of row.entries()) {
      const { x = 0, width = 0 } = places[at] ?? {};
      const align = columns[at]?.align ?? "start";
      sheet.text.write(cell, x, sheet.y + 3, { size: 8.5, colour: INK, width, align });
    }
    sheet.y += ROW_HEIGHT;
    rule(sheet, RULE);
  }
  if (note === null) return;
  makeRoom(sheet, ROW_HEIGHT);
  sheet.text.write(note, MARGIN, sheet.y + 5, { size: 8, colour: MUTED, width: WIDTH });
  sheet.y += ROW_HEIGHT;
}

function placesOf(columns: readonly DocumentColumn[]): { x: number; width: number }[] {
  const shares = columns.reduce((sum, { share }) => sum + share, 0);
  const room = WIDTH - GAP * (columns.length - 1);
  let x = MARGIN;
  return columns.map(({ share }) => {
    const place = { x, width: (room * share) / shares };
    x += place.width + GAP;
    return place;
  });
}

function drawHeads(
  sheet: Sheet,
  columns: readonly DocumentColumn[],
  places: readonly { x: number; width: number }[],
): void {
  const heights = columns.map(({ head, align }, at) => {
    const { x = 0, width = 0 } = places[at] ?? {};
    return sheet.text.writeLines(head, x, sheet.y + 2, { size: 7.5, colour: MUTED, width, align });
  });
  sheet.y += Math.max(...heights) + 5;
  rule(sheet, LINE);
}

function rule({ pdf, y }: Sheet, colour: string): void {
  pdf.lineWidth(0.5).strokeColor(colour);
  pdf
    .moveTo(MARGIN, y)
    .lineTo(MARGIN + WIDTH, y)
    .stroke();
}

const HEIGHT = 92;
/** Room for the axis labels. */
const AXIS = 56;

function drawCharts(sheet: Sheet, charts: readonly DocumentChart[]): void {
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

async function pdfDocument(document: ReportDocument): Promise<Uint8Array> {
  const pdf = new PdfKit({
    ...({ size: "A4", margin: 0, bufferPages: true, lang: document.language } as const),
    info: { Title: `${document.title} – ${document.organization}`, Creator: "Vedette", Producer: "Vedette" },
  });
  const chunks: Buffer[] = [];
  const done = new Promise<void>((resolve, reject) => {
    pdf.on("data", (chunk: Buffer) => chunks.push(chunk));
    pdf.on("end", resolve);
    pdf.on("error", reject);
  });
  const text = pdfText(pdf, { regular: fontsOf("regular"), bold: fontsOf("bold") });
  const sheet: Sheet = { pdf, text, y: MARGIN };
  drawHead(sheet, document);
  drawCharts(sheet, document.charts);
  drawTables(sheet, document.tables);
  drawNotes(sheet, document);
  drawFooters(sheet, document);
  pdf.end();
  await done;
  return Buffer.concat(chunks);
}

handleRequests<ReportDocument>((document) => pdfDocument(document));
