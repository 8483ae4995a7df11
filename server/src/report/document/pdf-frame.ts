import type { ReportDocument } from "./document.ts";
import { ACCENT, INK, MARGIN, MUTED, makeRoom, PAGE, RULE, type Sheet, WIDTH } from "./sheet.ts";

const COLUMNS = 4;
const CELL_HEIGHT = 48;

/** Whose report it is and of when, and its figures. */
export function drawHead(sheet: Sheet, document: ReportDocument): void {
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
  drawFigures(sheet, document.figures);
}

function drawFigures(sheet: Sheet, figures: ReportDocument["figures"]): void {
  const { pdf, text } = sheet;
  const columns = figures.length % COLUMNS === 0 ? COLUMNS : 3;
  const rows = Math.ceil(figures.length / columns);
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
  for (const [at, { label, value, before }] of figures.entries()) {
    const x = MARGIN + (at % columns) * width + 10;
    const y = sheet.y + Math.floor(at / columns) * CELL_HEIGHT;
    const room = { width: width - 16, isWhole: true };
    text.write(label, x, y + 7, { size: 7.5, colour: MUTED, ...room });
    text.write(value, x, y + 17, { weight: "bold", size: 12, colour: INK, ...room });
    text.write(before, x, y + 34, { size: 7.5, colour: MUTED, ...room });
  }
  sheet.y += rows * CELL_HEIGHT;
}

/** What the figures mean. */
export function drawNotes(sheet: Sheet, { notes }: ReportDocument): void {
  makeRoom(sheet, 20 + notes.length * 24);
  sheet.y += 16;
  for (const note of notes) {
    sheet.y += 3 + sheet.text.writeLines(note, MARGIN, sheet.y, { size: 8, colour: MUTED, width: WIDTH });
  }
}

/** On each page when it was made, and which it is. */
export function drawFooters({ pdf, text }: Sheet, { generated, pageLabel }: ReportDocument): void {
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
