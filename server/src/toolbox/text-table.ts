type Cell = string | number | null;

const GAP = "  ";

/** Rows under their headings for a terminal, a line each: numbers to the right, nothing that a terminal would obey. */
export function textTable(headings: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const texts = [headings, ...rows.map((row) => row.map(cellText))];
  const widths = headings.map((_, at) => Math.max(...texts.map((row) => row[at]?.length ?? 0)));
  const isNumber = headings.map(
    (_, at) => rows.length > 0 && rows.every((row) => typeof row[at] !== "string"),
  );
  return texts
    .map((row) => {
      const cells = row.map((cell, at) =>
        isNumber[at] ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0),
      );
      return `${cells.join(GAP).trimEnd()}\n`;
    })
    .join("");
}

const cellText = (cell: Cell): string => (cell === null ? "–" : String(cell).replace(/\p{C}/gu, "\ufffd"));
