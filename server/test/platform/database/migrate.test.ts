import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { expect, it, onTestFinished } from "vitest";
import { appliedMigrations, MIGRATIONS } from "../../../src/platform/database/migrate.ts";
import { openStore, type StoreLocation } from "../../../src/platform/database/open.ts";
import { emptyDatabase } from "../../harness/databases.ts";
import { eachEngine } from "../../harness/stores.ts";

const OPEN = join(import.meta.dirname, "../../../src/platform/database/open.ts");

/** A process of its own that opens the store, says how many migrations it finds, and ends. */
function openInProcess(location: StoreLocation): Promise<string> {
  const program = `
    const { openStore } = await import(${JSON.stringify(OPEN)});
    const store = await openStore(${JSON.stringify(location)});
    const rows = await store.db.selectFrom("migrations").selectAll().execute();
    console.log(rows.length);
    await store.close();`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program]);
  return new Promise((resolve) => {
    let said = "";
    child.stdout.on("data", (chunk) => (said += chunk));
    child.stderr.on("data", (chunk) => (said += chunk));
    child.once("close", () => resolve(said.trim()));
  });
}

eachEngine("migrating", (engine) => {
  it("brings an empty database up to date, and does nothing the second time", async () => {
    const location = await emptyDatabase(engine);
    for (let time = 0; time < 2; time += 1) {
      const store = await openStore(location);
      expect(await appliedMigrations(store.db)).toEqual(Object.keys(MIGRATIONS));
      expect(await store.db.selectFrom("monitors").selectAll().execute()).toEqual([]);
      await store.close();
    }
  });

  it("is done once when several processes start on an empty database together", async () => {
    const location = await emptyDatabase(engine);
    const said = await Promise.all(Array.from({ length: 4 }, () => openInProcess(location)));
    expect(said).toEqual(Array(4).fill(String(Object.keys(MIGRATIONS).length)));
  });

  it("is refused with one sentence when a newer version has migrated the database", async () => {
    const location = await emptyDatabase(engine);
    const newer = { ...MIGRATIONS, "900-later": { up: async () => {} } };
    await (await openStore(location, { migrations: newer })).close();
    await expect(openStore(location)).rejects.toThrow(
      "The data was written by a newer version of Vedette: it has the migration 900-later, which this version does not know. Use that version or a newer one.",
    );
    await (await openStore(location, { migrations: newer })).close();
  });

  it("undoes everything when a migration fails in the middle", async () => {
    const location = await emptyDatabase(engine);
    const failing = {
      ...MIGRATIONS,
      "900-half": {
        up: async (db: { [K in never]: never }) => {
          await sql`create table half (id integer)`.execute(db as never);
          throw new Error("The second half is missing.");
        },
      },
    };
    await expect(openStore(location, { migrations: failing })).rejects.toThrow("The second half is missing.");
    const store = await openStore(location, { migrations: {} });
    expect(await appliedMigrations(store.db)).toEqual([]);
    await expect(sql`select * from half`.execute(store.db)).rejects.toThrow(/half/);
    await store.close();
  });

  it("leaves another program's database alone", async () => {
    const location = await emptyDatabase(engine);
    const store = await openStore(location, { migrations: {} });
    await sql`drop table migrations`.execute(store.db);
    await sql`create table users (login text)`.execute(store.db);
    await store.close();
    await expect(openStore(location)).rejects.toThrow(/tables of another program \(users\)/);
  });
});

it("a file that is no database is refused by its name", async () => {
  const folder = mkdtempSync(join(tmpdir(), "vedette-store-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "vedette.db");
  writeFileSync(file, "These are my notes, not a database. ".repeat(50));
  await expect(openStore({ file })).rejects.toThrow(`${file} is not a SQLite database.`);
  await expect(openStore({ file: join(folder, "none", "vedette.db") })).rejects.toThrow(
    /vedette\.db cannot be opened/,
  );
});

it("a PostgreSQL that is not there is named without its password", async () => {
  const opening = openStore({ url: "postgres://vedette:secret@127.0.0.1:1/vedette" });
  await expect(opening).rejects.toThrow(/^PostgreSQL at 127\.0\.0\.1:1 cannot be used: connect ECONNREFUSED/);
  await opening.catch((error: Error) => expect(error.message).not.toContain("secret"));
});
