import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import type { Store } from "../../../src/platform/database/store.ts";
import { openTestStore } from "../../harness/stores.ts";

async function open(): Promise<Store> {
  const store = await openTestStore("sqlite");
  onTestFinished(() => store.close());
  await sql`create table small (id integer primary key, name text, data blob)`.execute(store.db);
  await sql`insert into small values (1, 'a', x'00ff'), (2, null, null)`.execute(store.db);
  return store;
}

test("a statement that was run before a column came has the new column afterwards", async () => {
  const { db } = await open();
  const everything = sql`select * from small order by id`;
  expect((await everything.execute(db)).rows).toEqual([
    { id: 1, name: "a", data: Uint8Array.of(0, 255) },
    { id: 2, name: null, data: null },
  ]);
  await sql`alter table small add column size integer default 7`.execute(db);
  expect((await everything.execute(db)).rows).toMatchObject([
    { id: 1, size: 7 },
    { id: 2, size: 7 },
  ]);
});

test("a limit is taken as it is, and SQLite is not shown its value before it has planned", async () => {
  const { db } = await open();
  const rows = ["a", "b", "c", "d"].map((key) => ({ key, value: "" }));
  await db.insertInto("meta").values(rows).execute();
  const query = db.selectFrom("meta").select("key").orderBy("key").limit(2).offset(1);
  expect((await query.execute()).map(({ key }) => key)).toEqual(["b", "c"]);
  expect(query.compile().sql).not.toMatch(/(limit|offset) \?/);
});
