import PdfKit from "pdfkit";
import type { ReportDocument } from "./document.ts";
import { drawCharts } from "./pdf-charts.ts";
import { fontsOf } from "./pdf-fonts.ts";
import { drawFooters, drawHead, drawNotes } from "./pdf-frame.ts";
import { drawTables } from "./pdf-tables.ts";
import { pdfText } from "./pdf-text.ts";
import { MARGIN, type Sheet } from "./sheet.ts";

/** A report as a PDF, on A4. */
export async function pdfDocument(document: ReportDocument): Promise<Uint8Array> {
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
