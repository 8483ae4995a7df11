import { chmodSync } from "node:fs";
import { sql } from "kysely";
import { expect, it, onTestFinished } from "vitest";
import { insertMany } from "../../../src/platform/database/bulk.ts";
import { isUnavailable } from "../../../src/platform/database/errors.ts";
import { openStore } from "../../../src/platform/database/open.ts";
import { createTestDatabase, type EngineName, eachEngine, openTestStore } from "../../harness/stores.ts";
import { breaksUnique } from "./unique.ts";

const failure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => expect.unreachable("it should have failed"),
    (error: unknown) => error,
  );
const user = (email: string, uuid = email) => ({
  uuid,
  email,
  name: "",
  password_hash: "",
  created_at: 0,
  updated_at: 0,
});

async function open(engine: EngineName) {
  const store = await openTestStore(engine);
  onTestFinished(() => store.close());
  return store;
}

eachEngine("errors of the store", (engine) => {
  it("of rows that break a unique rule do not make the store unavailable", async () => {
    const { db } = await open(engine);
    await insertMany(db, "users", [user("a@x.test")]);
    const sameEmail = await failure(insertMany(db, "users", [user("a@x.test", "other")]));
    expect(breaksUnique(sameEmail, "users_email_key")).toBe(true);
    const sameUuid = await failure(insertMany(db, "users", [user("b@x.test", "a@x.test")]));
    expect(breaksUnique(sameUuid, "users_email_key")).toBe(false);
    expect(isUnavailable(sameUuid)).toBe(false);
  });

  it("in the query itself do not make the store unavailable", async () => {
    const { db } = await open(engine);
    for (const error of [
      await failure(sql`select nothing from nowhere`.execute(db)),
      await failure(
        insertMany(db, "memberships", [{ user_id: 1, organization_id: 1, role: "owner", created_at: 0 }]),
      ),
      await failure(insertMany(db, "meta", [{ key: "k", value: null }])),
      new TypeError("x is not a function"),
      null,
    ]) {
      expect(isUnavailable(error)).toBe(false);
    }
  });

  it("inside a transaction come through as they are, and the store works on", async () => {
    const store = await open(engine);
    await insertMany(store.db, "users", [user("a@x.test")]);
    const error = await failure(
      store.transaction((trx) => insertMany(trx, "users", [user("a@x.test", "other")])),
    );
    expect(breaksUnique(error, "users_email_key")).toBe(true);
    await store.transaction((trx) => insertMany(trx, "users", [user("b@x.test")]));
    expect(await store.db.selectFrom("users").select("email").execute()).toHaveLength(2);
  });
});

eachEngine("an unavailable store", (engine) => {
  const only = (wanted: EngineName, title: string, test: () => Promise<void>) => {
    if (engine === wanted) it(title, test);
  };

  only("sqlite", "is one whose disk is full; when there is room again it works on", async () => {
    const store = await open(engine);
    const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(store.db);
    await sql.raw(`pragma max_page_count = ${(rows[0]?.page_count ?? 0) + 5}`).execute(store.db);
    const big = Array.from({ length: 500 }, (_, i) => ({ key: `k${i}`, value: "x".repeat(1_000) }));
    const error = await failure(store.transaction((trx) => insertMany(trx, "meta", big)));
    expect([isUnavailable(error), String(error)]).toEqual([true, expect.stringMatching(/full/)]);
    await sql`pragma max_page_count = 100000`.execute(store.db);
    await store.transaction((trx) => insertMany(trx, "meta", big));
    expect(await store.db.selectFrom("meta").select("key").execute()).toHaveLength(500);
  });

  only("sqlite", "is one that another process has locked", async () => {
    const { location, remove } = await createTestDatabase(engine);
    const [one, other] = [await openStore(location), await openStore(location)];
    onTestFinished(async () => {
      await Promise.all([one.close(), other.close()]);
      await remove();
    });
    await sql`pragma busy_timeout = 20`.execute(other.db);
    await one.transaction(async (trx) => {
      await insertMany(trx, "meta", [{ key: "a", value: "" }]);
      const error = await failure(
        other.transaction((late) => insertMany(late, "meta", [{ key: "b", value: "" }])),
      );
      expect([isUnavailable(error), String(error)]).toEqual([true, expect.stringMatching(/locked/)]);
      expect(await other.db.selectFrom("meta").selectAll().execute()).toEqual([]);
    });
    await other.transaction((trx) => insertMany(trx, "meta", [{ key: "b", value: "" }]));
  });

  only("sqlite", "is one opened for reading, to a writer", async () => {
    const { location, remove } = await createTestDatabase(engine);
    onTestFinished(remove);
    await (await openStore(location)).close();
    if ("file" in location) chmodSync(location.file, 0o444);
    const store = await openStore(location, { readOnly: true });
    onTestFinished(() => store.close());
    expect(await store.transaction((trx) => trx.selectFrom("meta").selectAll().execute())).toEqual([]);
    expect(isUnavailable(await failure(insertMany(store.db, "meta", [{ key: "a", value: "" }])))).toBe(true);
  });

  only("postgres", "is one that ends the connection, and the next query finds a new one", async () => {
    const store = await open(engine);
    const error = await failure(sql`select pg_terminate_backend(pg_backend_pid())`.execute(store.db));
    expect(isUnavailable(error)).toBe(true);
    const inside = await failure(
      store.transaction(async (trx) => {
        await insertMany(trx, "meta", [{ key: "a", value: "" }]);
        await sql`select pg_terminate_backend(pg_backend_pid())`.execute(trx);
      }),
    );
    expect(isUnavailable(inside)).toBe(true);
    expect(await store.db.selectFrom("meta").selectAll().execute()).toEqual([]);
  });

  only(
    "postgres",
    "is one that cuts a statement off, or lets two transactions wait in a circle",
    async () => {
      const store = await open(engine);
      const slow = await failure(
        store.transaction(async (trx) => {
          await sql`set local statement_timeout = 20`.execute(trx);
          await sql`select pg_sleep(5)`.execute(trx);
        }),
      );
      expect([isUnavailable(slow), String(slow)]).toEqual([true, expect.stringMatching(/statement timeout/)]);
      const { rows } = await sql<{ statement_timeout: string }>`show statement_timeout`.execute(store.db);
      expect(rows).toEqual([{ statement_timeout: "30s" }]);
    },
  );
});
