import { expect, it, onTestFinished } from "vitest";
import { insertMany } from "../../../src/platform/database/bulk.ts";
import { idIn, isPostgres, lockRows } from "../../../src/platform/database/sql.ts";
import { type EngineName, eachEngine, openTestStore } from "../../harness/stores.ts";

async function open(engine: EngineName) {
  const store = await openTestStore(engine);
  onTestFinished(() => store.close());
  return store;
}

const rollup = (bucket: number, checks: number, histogram = new Uint8Array([0, 255, 10])) => ({
  period_seconds: 300,
  monitor_id: 1,
  bucket_at: bucket,
  location_id: 1,
  checks,
  failures: 0,
  timed: 0,
  sum_us: 2 ** 52,
  min_us: null,
  max_us: 9,
  histogram,
});
const ROLLUP_KEY = ["period_seconds", "monitor_id", "bucket_at", "location_id"];

eachEngine("bulk insertion", (engine) => {
  it("writes thousands of rows with every type of column, bytes and large integers included", async () => {
    const { db } = await open(engine);
    await insertMany(
      db,
      "rollups",
      Array.from({ length: 5_000 }, (_, i) => rollup(i, i)),
    );
    const rows = await db.selectFrom("rollups").selectAll().orderBy("bucket_at").execute();
    expect(rows).toHaveLength(5_000);
    const { histogram, ...rest } = rows[4_999] ?? rollup(0, 0);
    expect({ ...rest, histogram: [...histogram] }).toEqual({
      ...rollup(4_999, 4_999),
      histogram: [0, 255, 10],
    });
  });

  it("leaves existing rows alone with `nothing`, and updates the named columns otherwise", async () => {
    const { db } = await open(engine);
    const checks = async () =>
      (await db.selectFrom("rollups").select(["checks", "failures"]).orderBy("bucket_at").execute()).map(
        (row) => row.checks,
      );
    await insertMany(db, "rollups", [rollup(1, 10)]);
    await insertMany(db, "rollups", [rollup(1, 99), rollup(2, 20)], "nothing");
    expect(await checks()).toEqual([10, 20]);
    await insertMany(db, "rollups", [rollup(1, 11), rollup(3, 30)], { keys: ROLLUP_KEY, update: ["checks"] });
    expect(await checks()).toEqual([11, 20, 30]);
  });

  it("fails on an existing row without a rule for it, and a transaction then keeps none", async () => {
    const store = await open(engine);
    await insertMany(store.db, "rollups", [rollup(2, 1)]);
    const doubled = store.transaction((trx) => insertMany(trx, "rollups", [rollup(1, 1), rollup(2, 1)]));
    await expect(doubled).rejects.toThrow(/unique/i);
    expect(await store.db.selectFrom("rollups").select("bucket_at").execute()).toEqual([{ bucket_at: 2 }]);
  });

  it("keeps quotes, backslashes and non-ASCII text as they are, and numbers identities itself", async () => {
    const { db } = await open(engine);
    const names = ["it's", 'say "x"', "back\\slash \\u0000 \\x41", "漢字 🛰", "line\nbreak", "null", "{}"];
    await insertMany(
      db,
      "locations",
      names.map((name, i) => ({ code: `l${i}`, name, created_at: i })),
    );
    const rows = await db.selectFrom("locations").select(["id", "name"]).orderBy("id").execute();
    expect(rows).toEqual(names.map((name, i) => ({ id: i + 1, name })));
  });

  it("keeps a row whose text PostgreSQL cannot hold: a NUL, half of a surrogate pair", async () => {
    const { db } = await open(engine);
    await insertMany(db, "locations", [{ code: "l", name: "a\0b \ud83d!", created_at: 1 }]);
    const { name } = await db.selectFrom("locations").select("name").executeTakeFirstOrThrow();
    expect(name).toMatch(/^a.?b \ufffd!$/su);
  });

  it("does nothing with no rows", async () => {
    const { db } = await open(engine);
    await insertMany(db, "meta", []);
    expect(await db.selectFrom("meta").selectAll().execute()).toEqual([]);
  });
});

eachEngine("the dialect", (engine) => {
  it("knows its engine, inside a transaction as well", async () => {
    const store = await open(engine);
    expect(isPostgres(store.db)).toBe(engine === "postgres");
    expect(await store.transaction(async (trx) => isPostgres(trx))).toBe(engine === "postgres");
  });

  it("selects by thousands of ids, repeated or unknown ones too, by numbers and by texts", async () => {
    const { db } = await open(engine);
    await insertMany(
      db,
      "meta",
      Array.from({ length: 9_000 }, (_, i) => ({ key: `k"${i}`, value: "v" })),
    );
    await insertMany(
      db,
      "locations",
      Array.from({ length: 9_000 }, (_, i) => ({ code: `c${i}`, name: "n", created_at: i })),
    );
    const count = (column: "id", ids: number[]) =>
      db.selectFrom("locations").select("id").where(idIn(column, ids)).execute();
    const ids = Array.from({ length: 8_000 }, (_, i) => i + 1);
    expect(await count("id", [...ids, ...ids, 2 ** 52])).toHaveLength(8_000);
    expect(await count("id", [])).toEqual([]);
    const keys = ids.map((id) => `k"${id}`);
    expect(await db.selectFrom("meta").select("key").where(idIn("key", keys)).execute()).toHaveLength(8_000);
  });

  it("makes another transaction wait for locked rows", async () => {
    const store = await open(engine);
    await store.db.insertInto("meta").values({ key: "k", value: "0" }).execute();
    const increment = () =>
      store.transaction(async (trx) => {
        const row = await lockRows(
          trx,
          trx.selectFrom("meta").select("value").where("key", "=", "k"),
        ).executeTakeFirstOrThrow();
        await trx
          .updateTable("meta")
          .set({ value: String(Number(row.value) + 1) })
          .where("key", "=", "k")
          .execute();
      });
    await Promise.all(Array.from({ length: 8 }, increment));
    expect(await store.db.selectFrom("meta").select("value").executeTakeFirst()).toEqual({ value: "8" });
  });
});
