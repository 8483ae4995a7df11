import { sql } from "kysely";
import { expect, it, onTestFinished } from "vitest";
import { compileEach, compileOnce, type Slots } from "../../../src/platform/database/sql.ts";
import { eachEngine, openTestStore } from "../../harness/stores.ts";

/** One for the whole program, as all real ones are: both engines use it. */
const doubled = compileOnce(
  (_db, { n }: Slots<{ n: number }>) => sql<{ n: number }>`select 2 * cast(${n} as bigint) as n`,
);

eachEngine("a query that is compiled once", (engine) => {
  it("is built at its first execution only, and gets each execution's own values", async () => {
    const store = await openTestStore(engine);
    onTestFinished(() => store.close());
    let built = 0;
    const echo = compileOnce((_db, { first, second }: Slots<{ first: string; second: number | null }>) => {
      built += 1;
      return sql<{ a: string; b: number | null; own: string; again: string }>`
        select cast(${first} as text) as a, cast(${second} as bigint) as b,
          cast(${"own"} as text) as own, cast(${first} as text) as again`;
    });
    const hostile = '\'; drop table meta; -- {"first":1}';
    expect(await echo(store.db, { first: hostile, second: 2 })).toMatchObject([
      { a: hostile, b: 2, own: "own", again: hostile },
    ]);
    const inside = await store.transaction((trx) => echo(trx, { first: "x", second: null }));
    expect(inside).toMatchObject([{ a: "x", b: null, own: "own", again: "x" }]);
    expect(built).toBe(1);
  });

  it("keeps one form for each shape", async () => {
    const store = await openTestStore(engine);
    onTestFinished(() => store.close());
    const shapes: string[] = [];
    const either = compileEach((_db, { n }: Slots<{ n: number }>, shape: { negative: boolean }) => {
      shapes.push(JSON.stringify(shape));
      const value = sql<number>`cast(${n} as bigint)`;
      return sql<{ n: number }>`select ${shape.negative ? sql`-${value}` : value} as n`;
    });
    const read = async (negative: boolean, n: number) => (await either(store.db, { negative }, { n }))[0]?.n;
    const answers = [await read(true, 1), await read(false, 2), await read(true, 3), await read(false, 4)];
    expect(answers).toEqual([-1, 2, -3, 4]);
    expect(shapes).toEqual(['{"negative":true}', '{"negative":false}']);
  });

  it("is compiled for each engine by itself, where one program uses both", async () => {
    const store = await openTestStore(engine);
    onTestFinished(() => store.close());
    expect(await doubled(store.db, { n: 21 })).toMatchObject([{ n: 42 }]);
  });
});
