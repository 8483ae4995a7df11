/** What the soak needs before it begins: a database, an owner, monitors made through the API, and a past. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { connectTo, findPostgres, startPostgres } from "../server/test/harness/postgres.ts";
import { hasAssertion, KEYWORD } from "./soak-script.ts";
import type { SoakDatabase } from "./soak-stored.ts";
import { DURABLE } from "./stores.ts";

const MAIN = new URL("../server/src/vedette.mjs", import.meta.url).pathname;
const AT_ONCE = 16;
/** The past: results between these ages, younger than what is packed away. */
const OLDEST_MS = 55 * 60_000;
const YOUNGEST_MS = 2 * 60_000;

const ROWS_AT_ONCE = 10_000;

export interface OwnDatabase {
  database: SoakDatabase;
  /** What `vedette` needs to find it, beside the data folder. */
  environment: Record<string, string>;
  stop(): Promise<void>;
}

/** The SQLite file of the data folder, or a PostgreSQL of the soak's own. Throws when there is none to start. */
export async function openDatabase(folder: string, onPostgres: boolean): Promise<OwnDatabase> {
  if (!onPostgres) {
    return { database: { file: join(folder, "vedette.db") }, environment: {}, stop: async () => {} };
  }
  const binaries = findPostgres();
  if (!binaries) throw new Error("PostgreSQL is not installed: neither on the PATH nor as npm package.");
  const server = await startPostgres(binaries, DURABLE);
  const url = `${server.url}/postgres`;
  return { database: { url }, environment: { DATABASE_URL: url }, stop: () => server.stop() };
}

function runCommand(args: readonly string[], environment: Record<string, string>): string {
  const env = { PATH: process.env["PATH"], ...environment };
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...args], { encoding: "utf8", env });
  if (status !== 0) throw new Error(stderr);
  return stdout.trim();
}

/** An owner on the data folder and its database; the token of an API key of theirs. */
export function createOwner(folder: string, environment: Record<string, string>): string {
  const owner = ["--email", "owner@vedette.test", "--data", folder];
  const person = ["--password", "correct horse battery", "--name", "Owner"];
  runCommand(["user", "create", ...owner, ...person], environment);
  return runCommand(["key", "create", ...owner, "--name", "soak"], environment);
}

/** A site's URL, or a service with its settings. */
export type SoakTarget = string | { protocol: string; protocolConfig: object };

/**
 * Creates a domain for each URL through the API, every other one with an assertion, and services for the others; their
 * ids in the same order. Seconds.
 */
export async function addMonitors(
  server: string,
  token: string,
  targets: readonly SoakTarget[],
  settings: { checkInterval: number; timeout: number },
): Promise<number[]> {
  const ids: number[] = [];
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const left = targets.entries();
  const work = async () => {
    for (const [site, target] of left) {
      const isDomain = typeof target === "string";
      const assertions = hasAssertion(site) ? [{ type: "keyword", operator: "present", value: KEYWORD }] : [];
      const own = isDomain ? { url: target, assertions } : target;
      const body = JSON.stringify({ name: `Site ${site}`, ...own, ...settings });
      const path = isDomain ? "/api/domains" : "/api/services";
      const response = await fetch(`${server}${path}`, { method: "POST", headers, body });
      const answer = (await response.json()) as { data: { id: number } };
      if (response.status !== 201) throw new Error(`POST ${path}: ${JSON.stringify(answer)}`);
      ids[site] = answer.data.id;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return ids;
}

/** Puts `count` results of the last hour into the database of a server that is stopped. */
export async function storeOldResults(
  database: SoakDatabase,
  ids: readonly number[],
  count: number,
): Promise<void> {
  if (count === 0) return;
  const rows = oldResults(ids, count);
  if ("url" in database) await storeOnPostgres(database.url, rows);
  else storeOnSqlite(database.file, rows);
}

/** Monitor and time, oldest first: every monitor is checked in turn. */
function oldResults(ids: readonly number[], count: number): [monitorId: number, at: number][] {
  const rounds = Math.ceil(count / ids.length);
  const now = Date.now();
  return Array.from({ length: count }, (_, made) => {
    const ageMs = OLDEST_MS - ((OLDEST_MS - YOUNGEST_MS) * Math.floor(made / ids.length)) / rounds;
    return [ids[made % ids.length] as number, Math.round(now - ageMs)];
  });
}

const COLUMNS = `monitor_id, location_id, scheduled_at, outcome, status_code, connect_us, first_byte_us, total_us, maintenance`;
const LOCATION = "(select id from locations where code = 'local')";

function storeOnSqlite(file: string, rows: readonly [number, number][]): void {
  const database = new DatabaseSync(file);
  try {
    const insert = database.prepare(
      `insert into results (${COLUMNS}) values (?, ${LOCATION}, ?, 0, 200, 300, 900, 1200, 0)`,
    );
    database.exec("begin");
    for (const row of rows) insert.run(...row);
    database.exec("commit");
  } finally {
    database.close();
  }
}

async function storeOnPostgres(url: string, rows: readonly [number, number][]): Promise<void> {
  const client = await connectTo(url);
  try {
    for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
      const part = rows.slice(from, from + ROWS_AT_ONCE);
      await client.query(
        `insert into results (${COLUMNS}) select id, ${LOCATION}, at, 0, 200, 300, 900, 1200, 0
         from unnest($1::bigint[], $2::bigint[]) as past (id, at)`,
        [part.map(([id]) => id), part.map(([, at]) => at)],
      );
    }
    await client.query("analyze");
  } finally {
    await client.end();
  }
}
