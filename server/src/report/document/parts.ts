import type { DocumentColumn, DocumentTable, ReportDocument } from "./document.ts";
import type { Writing } from "./writing.ts";

/** What every report says of itself. */
interface Headed {
  organization: { name: string };
  generatedAt: string;
  period: { from: string; to: string; previousFrom: string };
}

/** What people read; the file has everything. */
const MAX_ROWS = 1_000;

/** Whose report it is, and of when. */
export function headOf(
  { organization, generatedAt, period }: Headed,
  title: string,
  { language, say, time }: Writing,
): Pick<
  ReportDocument,
  "language" | "title" | "organization" | "period" | "compared" | "generated" | "pageLabel"
> {
  return {
    ...{ language, title, organization: organization.name },
    period: say("period", { from: time(period.from), to: time(period.to) }),
    compared: say("compared", { from: time(period.previousFrom), to: time(period.from) }),
    generated: say("generated", { at: time(generatedAt) }),
    pageLabel: say("page"),
  };
}

/** A column of figures. */
export const end = (head: string, share = 1): DocumentColumn => ({ head, align: "end", share });

/** A column of words. */
export const start = (head: string, share: number): DocumentColumn => ({ head, align: "start", share });

/** A table of the first thousand rows, which says how many more there are. */
export function tableOf(
  { rows, ...table }: Omit<DocumentTable, "note">,
  { say, count }: Writing,
): DocumentTable {
  const more = rows.length - MAX_ROWS;
  const note = rows.length === 0 ? say("none") : more > 0 ? say("more", { count: count(more) }) : null;
  return { ...table, rows: rows.slice(0, MAX_ROWS), note };
}
