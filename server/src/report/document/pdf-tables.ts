import type { DocumentColumn, DocumentTable } from "./document.ts";
import { heading, INK, MARGIN, MUTED, makeRoom, RULE, type Sheet, WIDTH } from "./sheet.ts";

const ROW_HEIGHT = 17;
const GAP = 8;
const LINE = "#c4cad6";

/** The tables; each page repeats the heads. */
export function drawTables(sheet: Sheet, tables: readonly DocumentTable[]): void {
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
