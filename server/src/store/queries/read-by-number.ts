import { takeTurns } from "../../turns.ts";

/** All rows, by number: `pageAfter` reads at most `size` of those after an id. Others get their turn between two pages. */
export async function readByNumber<Row extends { id: number }>(
  size: number,
  pageAfter: (afterId: number) => Promise<readonly Row[]>,
): Promise<Row[]> {
  const all: Row[] = [];
  const giveWay = takeTurns();
  for (let afterId = 0; ; ) {
    const rows = await pageAfter(afterId);
    for (const row of rows) all.push(row);
    if (rows.length < size) return all;
    afterId = (rows.at(-1) as Row).id;
    await giveWay();
  }
}
