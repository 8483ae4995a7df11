import { DatabaseSync } from "node:sqlite";
import { expect, it, onTestFinished, vi } from "vitest";
import { openStore } from "../../src/store/open.ts";
import { recall } from "../../src/store/recall.ts";
import { createTestDatabase, eachEngine, openTestStore } from "../harness/stores.ts";

eachEngine("what was read", (engine) => {
  it("is read again after every write, and never stale", async () => {
    const store = await openTestStore(engine);
    onTestFinished(() => store.close());
    const count = async () => (await store.db.selectFrom("meta").selectAll().execute()).length;
    const write = (key: string) => store.db.insertInto("meta").values({ key, value: "" }).execute();
    const before = await recall(store, "count", count);
    await write("one");
    expect(await recall(store, "count", count)).toBe(before + 1);
    await store.transaction(async (trx) => {
      await trx.insertInto("meta").values({ key: "two", value: "" }).execute();
    });
    expect(await recall(store, "count", count)).toBe(before + 2);
    await expect(
      store.transaction(async (trx) => {
        await trx.insertInto("meta").values({ key: "three", value: "" }).execute();
        throw new Error("undone");
      }),
    ).rejects.toThrow("undone");
    expect(await recall(store, "count", count)).toBe(before + 2);
  });

  it("is not kept when something was written while it was read", async () => {
    const store = await openTestStore(engine);
    onTestFinished(() => store.close());
    let value = "old";
    const reading = recall(store, "key", async () => {
      const read = value;
      await store.db.insertInto("meta").values({ key: "between", value: "" }).execute();
      value = "new";
      return read;
    });
    expect(await reading).toBe("old");
    expect(await recall(store, "key", async () => value)).toBe("new");
  });
});

it("is read once on SQLite while nobody writes, and again when another process has written", async () => {
  const { location, remove } = await createTestDatabase("sqlite");
  const store = await openStore(location);
  onTestFinished(async () => {
    await store.close();
    await remove();
  });
  const read = vi.fn<() => Promise<number>>(async () => 1);
  await recall(store, "key", read);
  await recall(store, "key", read);
  expect(read).toHaveBeenCalledTimes(1);
  await recall(store, "another key", read);
  expect(read).toHaveBeenCalledTimes(2);
  const other = new DatabaseSync((location as { file: string }).file);
  other.exec("insert into meta (key, value) values ('elsewhere', '')");
  other.close();
  await recall(store, "key", read);
  expect(read).toHaveBeenCalledTimes(3);
});

it("leaves room for what is read later: the oldest of many things goes first", async () => {
  const store = await openTestStore("sqlite");
  onTestFinished(() => store.close());
  const read = vi.fn<() => Promise<number>>(async () => 1);
  for (let n = 0; n < 1_000; n++) await recall(store, `key ${n}`, async () => n);
  expect(await recall(store, "key 999", read)).toBe(999);
  expect(await recall(store, "key 0", read)).toBe(1);
  expect(read).toHaveBeenCalledTimes(1);
});
