import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { sql } from "kysely";
import { expect, it } from "vitest";
import { backupStore, restoreStore } from "../../src/app/backup.ts";
import { writeBackupFile } from "../../src/platform/database/backup-file.ts";
import { insertMany } from "../../src/platform/database/bulk.ts";
import { MIGRATIONS } from "../../src/platform/database/migrate.ts";
import { openStore } from "../../src/platform/database/open.ts";
import type { Store } from "../../src/platform/database/store.ts";
import { database, dump, emptyDatabase, restored, temporaryFile, withStore } from "../harness/databases.ts";
import { fillEveryTable } from "../harness/rows.ts";
import { type EngineName, eachEngine } from "../harness/stores.ts";

const later = { ...MIGRATIONS, "900-note": { up: addNote } };
async function addNote(db: Store["db"]): Promise<void> {
  await sql`alter table locations add column note text not null default 'none'`.execute(db);
}

eachEngine("a backup", (engine) => {
  const targets: EngineName[] = engine === "sqlite" ? ["sqlite"] : ["postgres", "sqlite"];
  const ways = targets.map((target) => [engine, target] as const);
  if (engine === "postgres") ways.push(["sqlite", "postgres"]);

  it.each(ways)(
    "from %s brings every table, row and byte back on %s, in place of what was there",
    async (from, to) => {
      const [source, target, file] = [await database(from), await database(to), temporaryFile()];
      await withStore(source, (store) => fillEveryTable(store, 25));
      await withStore(target, (store) => fillEveryTable(store, 40));
      const before = await dump(source);
      for (const rows of Object.values(before)) expect(rows).toHaveLength(25);
      expect(await backupStore(source, file)).toEqual({ rows: 25 * Object.keys(before).length });
      await restoreStore(target, file);
      expect(await dump(target)).toEqual(restored(before));
    },
  );

  it("is of one moment while others write, whom it does not hold up", async () => {
    const [source, file] = [await database(engine), temporaryFile()];
    const target = await database(engine);
    const written = await withStore(source, async (store) => {
      await insertMany(
        store.db,
        "audit_log",
        Array.from({ length: 30_000 }, (_, i) => ({ ...AUDIT, at: i, resource: `resource ${i}` })),
      );
      let finished = false;
      const backup = backupStore(source, file).finally(() => {
        finished = true;
      });
      let pairs = 0;
      for (; !finished; pairs += 1) {
        await setImmediate();
        await store.transaction(async (trx) => {
          await trx
            .insertInto("meta")
            .values({ key: `k${pairs}`, value: "" })
            .execute();
          await trx
            .insertInto("locations")
            .values({ code: `c${pairs}`, name: "", created_at: 0 })
            .execute();
        });
      }
      await backup;
      return pairs;
    });
    await restoreStore(target, file);
    const after = await dump(target);
    expect(after["audit_log"]).toHaveLength(30_000);
    expect(after["meta"]).toHaveLength(after["locations"]?.length ?? -1);
    expect(after["meta"]?.length).toBeLessThan(written);
  });

  it("ends every session, and names the keys that work again", async () => {
    const [source, file] = [await database(engine), temporaryFile()];
    await withStore(source, async (store) => {
      await fillEveryTable(store, 3);
      await store.db.updateTable("api_keys").set({ expires_at: null }).where("id", "<", 3).execute();
      await store.db.updateTable("api_keys").set({ expires_at: 1 }).where("id", "=", 3).execute();
    });
    await backupStore(source, file);
    expect(await restoreStore(source, file)).toEqual({ revivedKeys: [] });
    const gone = await withStore(source, async ({ db }) => {
      await db.deleteFrom("api_keys").where("id", "!=", 1).execute();
      return db.selectFrom("organizations").select("name").where("id", "=", 2).executeTakeFirstOrThrow();
    });
    const { revivedKeys } = await restoreStore(source, file);
    expect(revivedKeys).toEqual([
      {
        organization: gone.name,
        name: expect.stringMatching(/^name 2/),
        prefix: expect.stringMatching(/^prefix 2/),
      },
    ]);
    expect((await dump(source))["sessions"]).toEqual([]);
    await withStore(source, ({ db }) =>
      db.updateTable("api_keys").set({ expires_at: 1 }).where("id", "=", 1).execute(),
    );
    const again = await restoreStore(source, file);
    expect(again.revivedKeys).toMatchObject([{ name: expect.stringMatching(/^name 1/) }]);
  });

  it("says when there is nothing to compare its keys with", async () => {
    const [source, file] = [await database(engine), temporaryFile()];
    await withStore(source, () => backupStore(source, file));
    const location = await emptyDatabase(engine);
    expect(await restoreStore(location, file)).toEqual({ revivedKeys: null });
    if (!("file" in location)) return;
    writeFileSync(location.file, "no database any more");
    expect(await restoreStore(location, file)).toEqual({ revivedKeys: null });
  });

  it("never lets an id be given twice, not even that of a row removed before it was made", async () => {
    const [source, target, file] = [await database(engine), await database(engine), temporaryFile()];
    const add = (store: Store, code: string) =>
      store.db
        .insertInto("locations")
        .values({ code, name: "", created_at: 0 })
        .returning("id")
        .executeTakeFirstOrThrow();
    await withStore(source, async (store) => {
      await add(store, "a");
      const removed = await add(store, "b");
      await store.db.deleteFrom("locations").where("id", "=", removed.id).execute();
    });
    await backupStore(source, file);
    await restoreStore(target, file);
    await withStore(target, async (store) => {
      expect(await add(store, "c")).toEqual({ id: 3 });
      expect(
        (await store.db.insertInto("users").values(USER).returning("id").executeTakeFirstOrThrow()).id,
      ).toBe(1);
    });
  });

  it("of an older version is brought up to this one's schema", async () => {
    const [source, target, file] = [await database(engine), await database(engine), temporaryFile()];
    await withStore(source, (store) => fillEveryTable(store, 2));
    await backupStore(source, file);
    await restoreStore(target, file, { migrations: later });
    const store = await openStore(target, { migrations: later });
    const { rows } = await sql`select id, note from locations order by id`.execute(store.db);
    await store.close();
    expect(rows).toEqual([
      { id: 1, note: "none" },
      { id: 2, note: "none" },
    ]);
  });

  it("of a newer version is refused, and so is backing up a newer version's data", async () => {
    const [source, target, file] = [await database(engine), await database(engine), temporaryFile()];
    await (await openStore(source, { migrations: later })).close();
    await expect(backupStore(source, file)).rejects.toThrow(/newer version of Vedette.*900-note/);
    await backupStore(source, file, { migrations: later });
    await withStore(target, (store) => fillEveryTable(store, 2));
    const before = await dump(target);
    await expect(restoreStore(target, file)).rejects.toThrow(
      /The backup.*newer version of Vedette.*900-note/,
    );
    expect(await dump(target)).toEqual(before);
  });

  it("that cannot be loaded to its end leaves the old data as it was, and no file behind", async () => {
    const [target, file] = [await database(engine), temporaryFile()];
    await withStore(target, (store) => fillEveryTable(store, 3));
    const before = await dump(target);
    async function* orphans() {
      yield { table: "locations", rows: [{ id: 1, code: "x", name: "x", created_at: 1 }] };
      yield {
        table: "memberships",
        rows: [{ user_id: 9, organization_id: 9, role: "owner", created_at: 1 }],
      };
    }
    await writeBackupFile(file, {
      migrations: Object.keys(MIGRATIONS),
      createdAt: new Date(0).toISOString(),
      rows: orphans(),
      sequences: async () => ({}),
    });
    await expect(restoreStore(target, file)).rejects.toThrow(/foreign key/i);
    expect(await dump(target)).toEqual(before);
    if ("file" in target)
      expect(readdirSync(join(target.file, ".."))).not.toContainEqual(expect.stringMatching(/restoring/));
  });

  it("of nothing is refused rather than made", async () => {
    const location = await emptyDatabase(engine);
    const file = temporaryFile();
    await expect(backupStore(location, file)).rejects.toThrow(/nothing to back up/);
    expect(readdirSync(join(file, ".."))).toEqual([]);
  });
});

const AUDIT = {
  organization_id: 1,
  user_id: null,
  api_key_id: null,
  action: "create domains",
  resource_id: null,
  request_id: "r",
  address: "127.0.0.1",
};
const USER = { uuid: "u", email: "e@x.test", name: "E", password_hash: "", created_at: 0, updated_at: 0 };
