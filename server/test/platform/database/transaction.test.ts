import { sql } from "kysely";
import { expect, it, onTestFinished } from "vitest";
import { appendEvents, type NewEvent } from "../../../src/platform/database/events.ts";
import type { Db } from "../../../src/platform/database/schema.ts";
import { type EngineName, eachEngine, openTestStore } from "../../harness/stores.ts";

async function open(engine: EngineName) {
  const store = await openTestStore(engine);
  onTestFinished(() => store.close());
  const names = ["a", "b"];
  await store.db
    .insertInto("meta")
    .values(names.map((key) => ({ key, value: "" })))
    .execute();
  const value = async (key: string) =>
    (await store.db.selectFrom("meta").select("value").where("key", "=", key).executeTakeFirstOrThrow())
      .value;
  const events = async () =>
    (await store.db.selectFrom("events").select("type").orderBy("id").execute()).map(({ type }) => type);
  return { store, value, events };
}

const put = (trx: Db, key: string, word: string) =>
  sql`update meta set value = value || ${word} where key = ${key}`.execute(trx);
/** Types that nobody knows: any text is good to distinguish them. */
const notify = (trx: Db, type: string) =>
  appendEvents(trx, [{ organizationId: 1, type: type as NewEvent["type"], payload: {} }], 1);

/** What two can wait for until both have come. */
function meeting() {
  let missing = 2;
  const { promise, resolve } = Promise.withResolvers<void>();
  return () => {
    missing -= 1;
    if (missing === 0) resolve();
    return promise;
  };
}

eachEngine("a transaction", (engine) => {
  it("writes its events when all else is done, so that an event written early holds nobody up", async () => {
    const { store, events } = await open(engine);
    const { promise: reported, resolve: resolveNow } = Promise.withResolvers<void>();
    const { promise: over, resolve: end } = Promise.withResolvers<void>();
    const early = store.transaction(async (trx) => {
      notify(trx, "early");
      resolveNow();
      // SQLite has one writer: there the other one waits for this transaction, not for its events.
      if (engine === "postgres") await over;
      await put(trx, "a", "early");
    });
    await reported;
    const late = store.transaction(async (trx) => {
      await put(trx, "b", "late");
      notify(trx, "late");
    });
    await late;
    end();
    await early;
    expect(await events()).toEqual(engine === "postgres" ? ["late", "early"] : ["early", "late"]);
  });

  it("that PostgreSQL ended is run again from its beginning, and reports itself once", async () => {
    const { store, value, events } = await open(engine);
    let attempts = 0;
    const lost = Object.assign(new Error("deadlock detected"), { code: "40P01" });
    const answer = await store.transaction(async (trx) => {
      attempts += 1;
      await put(trx, "a", `attempt ${attempts}`);
      notify(trx, `attempt ${attempts}`);
      if (attempts < 3) throw lost;
      return attempts;
    });
    expect([answer, await value("a"), await events()]).toEqual([3, "attempt 3", ["attempt 3"]]);
  });

  it("is not run for ever, and not again for what a repetition does not change", async () => {
    const { store, value } = await open(engine);
    for (const [code, expected] of [
      ["40001", 5],
      // A reader that reads again finds what another one has just written, and says so.
      ["23505", 5],
      ["23503", 1],
      ["57014", 1],
    ] as const) {
      let attempts = 0;
      const failing = store.transaction(async (trx) => {
        attempts += 1;
        await put(trx, "a", "never");
        throw Object.assign(new Error("refused"), { code });
      });
      await expect(failing).rejects.toThrow("refused");
      expect([code, attempts]).toEqual([code, expected]);
    }
    expect(await value("a")).toBe("");
  });

  it("refuses events of a handle that is none of its own", async () => {
    const { store, events } = await open(engine);
    expect(() => notify(store.db, "lost")).toThrow("within Store.transaction");
    expect(await events()).toEqual([]);
  });

  it("and another that lock two rows in opposite order both get through", async () => {
    const { store, value } = await open(engine);
    const met = meeting();
    let attempts = 0;
    const both = (first: string, second: string) =>
      store.transaction(async (trx) => {
        attempts += 1;
        await put(trx, first, "x");
        if (engine === "postgres" && attempts <= 2) await met();
        await put(trx, second, "x");
      });
    await Promise.all([both("a", "b"), both("b", "a")]);
    expect([await value("a"), await value("b")]).toEqual(["xx", "xx"]);
    // PostgreSQL ends one of the two that wait for each other, and both where it is slow to look.
    if (engine === "postgres") expect(attempts).toBeGreaterThan(2);
    else expect(attempts).toBe(2);
  });

  it("whose snapshot another one has overtaken is run again on a new one", async () => {
    if (engine === "sqlite") return;
    const { store, value } = await open(engine);
    let attempts = 0;
    await store.transaction(async (trx) => {
      attempts += 1;
      await sql`set transaction isolation level repeatable read`.execute(trx);
      await trx.selectFrom("meta").selectAll().execute();
      if (attempts === 1) await put(store.db, "a", "other ");
      await put(trx, "a", "own");
    });
    expect([await value("a"), attempts]).toEqual(["other own", 2]);
  });
});
