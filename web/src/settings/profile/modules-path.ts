/** The modules of a QR code as the path of an SVG, one unit each: a rectangle for each run of dark ones in a row. */
export function pathOf(rows: readonly (readonly boolean[])[]): string {
  return rows
    .flatMap((row, y) => {
      const runs: string[] = [];
      for (let x = 0; x < row.length; x += 1) {
        const start = x;
        while (row[x]) x += 1;
        if (x > start) runs.push(`M${start} ${y}h${x - start}v1h${start - x}z`);
      }
      return runs;
    })
    .join("");
}
