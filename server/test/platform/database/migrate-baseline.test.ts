import { join } from "node:path";
import { sql } from "kysely";
import { expect, it } from "vitest";
import { backupStore, restoreStore } from "../../../src/app/backup.ts";
import {
  checkBackupFile,
  readBackupFile,
  writeBackupFile,
} from "../../../src/platform/database/backup-file.ts";
import { appliedMigrations, BEFORE_BASELINE, MIGRATIONS } from "../../../src/platform/database/migrate.ts";
import { rowsInWords } from "../../../src/platform/database/migrations/002-words.ts";
import { openStore, type StoreLocation } from "../../../src/platform/database/open.ts";
import { database, dump, restored, temporaryFile, withStore } from "../../harness/databases.ts";
import { dumpedRow } from "../../harness/rows.ts";
import { type EngineName, eachEngine } from "../../harness/stores.ts";

/** Three rows of every table of a SQLite database, backed up by the code that had the 94 migrations of before the baseline. */
const BACKUP = join(import.meta.dirname, "before-baseline.backup");
const FORMER = (await checkBackupFile(BACKUP)).migrations;
const REFUSAL = new RegExp(
  `^The (?:data|backup) was written by a version from before the first release, .* up to commit ${BEFORE_BASELINE.commit} can read\\. .*make a backup.*restore that backup with this version\\.$`,
);

/** The rows of the backup, as they are in a store: by the names of now (words.test.ts has them one by one). */
async function rowsOfBackup(): Promise<Record<string, string[]>> {
  const rows: Record<string, string[]> = {};
  for await (const former of readBackupFile(BACKUP)) {
    const some = rowsInWords(former);
    rows[some.table] = [...(rows[some.table] ?? []), ...some.rows.map(dumpedRow)].sort();
  }
  return rows;
}

/** A database in which these migrations were applied. */
async function databaseWith(engine: EngineName, migrations: readonly string[]): Promise<StoreLocation> {
  const location = await database(engine);
  const store = await openStore(location);
  await sql`delete from migrations`.execute(store.db);
  for (const name of migrations) {
    await sql`insert into migrations (name, applied_at) values (${name}, 1)`.execute(store.db);
  }
  await store.close();
  return location;
}

/** A backup with the first of the former migrations only. */
async function earlierBackup(): Promise<string> {
  const file = temporaryFile();
  async function* none() {}
  await writeBackupFile(file, {
    migrations: FORMER.slice(0, -1),
    createdAt: new Date(0).toISOString(),
    rows: none(),
    sequences: async () => ({}),
  });
  return file;
}

eachEngine("what was stored before the baseline", (engine) => {
  it.each([FORMER, FORMER.slice(0, 40)])(
    "is neither opened nor backed up, and the refusal names the commit that can",
    async (...migrations) => {
      const location = await databaseWith(engine, migrations);
      await expect(openStore(location)).rejects.toThrow(REFUSAL);
      await expect(backupStore(location, temporaryFile())).rejects.toThrow(REFUSAL);
      const store = await openStore(location, { readOnly: true });
      expect(await appliedMigrations(store.db)).toEqual(migrations);
      await store.close();
    },
  );

  it("comes back, every row and byte, from a backup of the last commit before it", async () => {
    const target = await database(engine);
    await restoreStore(target, BACKUP);
    const expected = restored(await rowsOfBackup());
    for (const rows of Object.values(await rowsOfBackup())) expect(rows).toHaveLength(3);
    expect(await dump(target)).toEqual(expected);
    await withStore(target, async ({ db }) => {
      expect(await appliedMigrations(db)).toEqual(Object.keys(MIGRATIONS));
      const location = { code: "new", name: "", created_at: 0 };
      const added = await db.insertInto("locations").values(location).returning("id").execute();
      expect(added).toEqual([{ id: 4 }]);
    });
  });

  it("is replaced by a backup of the last commit before it, where that was backed up", async () => {
    const target = await databaseWith(engine, FORMER);
    await restoreStore(target, BACKUP);
    expect(await dump(target)).toEqual(restored(await rowsOfBackup()));
  });

  it("is replaced in an older database on SQLite, where the file is a new one, and stays on PostgreSQL", async () => {
    const older = FORMER.slice(0, 40);
    const target = await databaseWith(engine, older);
    if (engine === "sqlite") {
      await restoreStore(target, BACKUP);
      expect(await dump(target)).toEqual(restored(await rowsOfBackup()));
      return;
    }
    await expect(restoreStore(target, BACKUP)).rejects.toThrow(REFUSAL);
    const store = await openStore(target, { readOnly: true });
    expect(await appliedMigrations(store.db)).toEqual(older);
    await store.close();
  });

  it("does not come back from a backup of an earlier commit", async () => {
    const target = await database(engine);
    const before = await dump(target);
    await expect(restoreStore(target, await earlierBackup())).rejects.toThrow(REFUSAL);
    expect(await dump(target)).toEqual(before);
  });

  it("does not lend its name to data of a newer version", async () => {
    const location = await databaseWith(engine, [...Object.keys(MIGRATIONS), "153-later"]);
    await expect(openStore(location)).rejects.toThrow(/newer version of Vedette.*153-later/);
  });
});

it("the backup is of the last migration before the baseline", () => {
  expect(FORMER).toHaveLength(94);
  expect([FORMER[0], FORMER.at(-1)]).toEqual([BEFORE_BASELINE.first, BEFORE_BASELINE.last]);
});
