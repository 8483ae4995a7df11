/** What the soak needs before it begins: an owner, monitors made through the API, and a past. */
import { spawnSync } from "node:child_process";
import { DatabaseSync } from "node:sqlite";

const MAIN = new URL("../server/src/main.ts", import.meta.url).pathname;
const AT_ONCE = 16;
/** The past: results between these ages, younger than what is packed away. */
const OLDEST_MS = 55 * 60_000;
const YOUNGEST_MS = 2 * 60_000;

function runCommand(args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...args], { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  return stdout.trim();
}

/** An owner on the data folder; the token of an API key of theirs. */
export function createOwner(folder: string): string {
  const owner = ["--email", "owner@vedette.test", "--data", folder];
  runCommand(["user", "create", ...owner, "--password", "correct horse battery", "--name", "Owner"]);
  return runCommand(["key", "create", ...owner, "--name", "soak"]);
}

/** Creates a domain for each URL through the API; their ids in the same order. Seconds. */
export async function addMonitors(
  server: string,
  token: string,
  urls: readonly string[],
  { interval, timeout }: { interval: number; timeout: number },
): Promise<number[]> {
  const ids: number[] = [];
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const left = urls.entries();
  const work = async () => {
    for (const [site, url] of left) {
      const body = JSON.stringify({ name: `Site ${site}`, url, checkInterval: interval, timeout });
      const response = await fetch(`${server}/api/domains`, { method: "POST", headers, body });
      const answer = (await response.json()) as { data: { id: number } };
      if (response.status !== 201) throw new Error(`POST /api/domains: ${JSON.stringify(answer)}`);
      ids[site] = answer.data.id;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return ids;
}

/** Puts `count` results of the last hour into the database of a server that is stopped. */
export function storeOldResults(file: string, ids: readonly number[], count: number): void {
  if (count === 0) return;
  const database = new DatabaseSync(file);
  try {
    const insert = database.prepare(
      `insert into results (monitor_id, location_id, scheduled_at, outcome, status_code, connect_us,
         first_byte_us, total_us, maintenance)
       values (?, (select id from locations where code = 'local'), ?, 0, 200, 300, 900, 1200, 0)`,
    );
    const rounds = Math.ceil(count / ids.length);
    const now = Date.now();
    database.exec("begin");
    for (let made = 0; made < count; made += 1) {
      const round = Math.floor(made / ids.length);
      const ageMs = OLDEST_MS - ((OLDEST_MS - YOUNGEST_MS) * round) / rounds;
      insert.run(ids[made % ids.length] as number, Math.round(now - ageMs));
    }
    database.exec("commit");
  } finally {
    database.close();
  }
}
