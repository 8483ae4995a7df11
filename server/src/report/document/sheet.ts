import type { PdfText } from "./pdf-text.ts";

/** The page that is being filled; `y`: how far, points from its top. */
export interface Sheet {
  pdf: PDFKit.PDFDocument;
  text: PdfText;
  y: number;
}

/** A4, points. */
export const PAGE = { width: 595.28, height: 841.89 };
export const MARGIN = 48;
export const WIDTH = PAGE.width - 2 * MARGIN;
/** Below it stands the foot of the page. */
const BOTTOM = PAGE.height - 64;

export const INK = "#1c2230";
export const MUTED = "#5b6475";
export const RULE = "#dfe3ea";
export const ACCENT = "#3f5fd0";

/** Begins another page where that much (points) does not fit any more; says whether it did. */
export function makeRoom(sheet: Sheet, height: number): boolean {
  if (sheet.y + height <= BOTTOM) return false;
  sheet.pdf.addPage();
  sheet.y = MARGIN;
  return true;
}

/** A heading, with room for what it is of. */
export function heading(sheet: Sheet, title: string, roomBelow: number): void {
  makeRoom(sheet, 34 + roomBelow);
  sheet.y += 16;
  sheet.text.write(title, MARGIN, sheet.y, { weight: "bold", size: 12, colour: INK, width: WIDTH });
  sheet.y += 22;
}
