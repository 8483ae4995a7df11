import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { describe, inject } from "vitest";
import { openStore, type StoreLocation } from "../../src/platform/database/open.ts";
import type { Store } from "../../src/platform/database/store.ts";
import { openUsedStore } from "./used-databases.ts";

export type EngineName = Store["engine"];

let counter = 0;

/**
 * Runs the same suite on both engines. Where no PostgreSQL can be had, its half is skipped and the
 * name says why (VEDETTE_REQUIRE_POSTGRES=1 makes that a failure of the run).
 */
export function eachEngine(title: string, suite: (engine: EngineName) => void): void {
  describe(`${title} (sqlite)`, () => suite("sqlite"));
  const access = inject("postgres");
  if ("missing" in access) describe.skip(`${title} (postgres; ${access.missing})`, () => suite("postgres"));
  else describe(`${title} (postgres)`, () => suite("postgres"));
}

/** A fresh, migrated database of one test's own: `onTestFinished(() => store.close())` removes it too. */
export async function openTestStore(engine: EngineName): Promise<Store> {
  if (engine === "postgres") return openUsedStore(createOnPostgres);
  const { location, remove } = await createTestDatabase(engine);
  const store = await openStore(location);
  return {
    ...store,
    close: async () => {
      await store.close();
      await remove();
    },
  };
}

/**
 * A fresh database for a test that starts the program itself or opens several stores on it. `empty`:
 * not migrated yet. `remove` ends what is still connected.
 */
export async function createTestDatabase(
  engine: EngineName,
  options: { empty?: boolean } = {},
): Promise<{ location: StoreLocation; remove(): Promise<void> }> {
  if (engine === "sqlite") {
    const folder = mkdtempSync(join(inject("storeFolder"), "store-"));
    const file = join(folder, "vedette.db");
    if (!options.empty) copyFileSync(inject("sqliteTemplate"), file);
    const remove = async () => rmSync(folder, { recursive: true, force: true });
    return { location: { file }, remove };
  }
  return createOnPostgres(options);
}

async function createOnPostgres(options: { empty?: boolean } = {}) {
  counter += 1;
  const server = await postgresUrl();
  const name = `vedette_test_${process.pid}_${counter}_${Math.random().toString(36).slice(2, 8)}`;
  const template = options.empty ? "template0" : "vedette_template";
  // As files: page by page through the log, which is the default, is three times the work.
  await administer(server, `create database ${name} template ${template} strategy file_copy`);
  return {
    location: { url: `${server}/${name}` },
    remove: () => administer(server, `drop database if exists ${name} with (force)`),
  };
}

let started: Promise<string> | undefined;

/**
 * The address of the tests' PostgreSQL server, started now if it is not running yet. A process requests it once: by the next time the
 * other side would have closed the connection, and not everything that is sent over one like that is sent again.
 */
function postgresUrl(): Promise<string> {
  started ??= fetchPostgresUrl().catch((error: unknown) => {
    started = undefined;
    throw error;
  });
  return started;
}

async function fetchPostgresUrl(): Promise<string> {
  const access = inject("postgres");
  if ("missing" in access) throw new Error(access.missing);
  const response = await fetch(access.startUrl);
  const text = await response.text();
  if (!response.ok) throw new Error(`PostgreSQL did not start: ${text}`);
  return text;
}

async function administer(server: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: `${server}/postgres` });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
