/**
 * `npm run drill -- messages`: outages, in each of which a server is killed (-9) at a random moment between the check and
 * the delivery of what it leads to: on SQLite, on PostgreSQL, and with two servers on one PostgreSQL, either of which may be
 * killed. Ends with 1 when a message was lost, an incident doubled, a message came more often than its attempts explain, or
 * an end was told before its beginning, or to who was not told of it.
 *
 *   npm run drill -- messages                          50 kills each
 *   npm run drill -- messages --kills 10 --seed 7      other moments; the seed is printed
 */
import { parseArgs } from "node:util";
import { playInterrupted, type Verdict } from "../server/test/faults/interrupted-outages.ts";
import { findPostgres, startPostgres } from "../server/test/harness/postgres.ts";
import { DURABLE } from "./stores.ts";

const { values } = parseArgs({
  options: { kills: { type: "string", default: "50" }, seed: { type: "string" } },
});
const kills = Number(values.kills);
const seed = Number(values.seed ?? Date.now() % 1_000_000);
if (!Number.isInteger(kills) || kills < 1 || !Number.isInteger(seed)) {
  console.error("The flags are whole numbers: --kills 50 --seed 7");
  process.exit(2);
}

console.log(`seed ${seed}, ${kills} kills each`);
await judge("SQLite", 1, null);
const binaries = findPostgres();
if (binaries) {
  for (const servers of [1, 2]) {
    const postgres = await startPostgres(binaries, DURABLE);
    const name = servers === 1 ? "PostgreSQL" : "two servers on one PostgreSQL";
    await judge(name, servers, `${postgres.url}/postgres`).finally(postgres.stop);
  }
} else console.error("PostgreSQL is not installed, so its halves are left out.");

async function judge(name: string, servers: number, databaseUrl: string | null): Promise<void> {
  console.log(`${name} …`);
  const begun = performance.now();
  const verdict = await playInterrupted({ kills, seed, servers, databaseUrl });
  print(verdict, (performance.now() - begun) / 1_000);
  if (verdict.complaints.length > 0) process.exitCode = 1;
}

function print({ complaints, incidents, messages, repeated, ...verdict }: Verdict, seconds: number): void {
  const counts = `${verdict.kills} kills, ${incidents} incidents, ${messages} messages, ${repeated} of them repeated`;
  console.log(`  ${counts}, ${Math.round(seconds)} s: ${complaints.length === 0 ? "all well" : "NOT WELL"}`);
  for (const complaint of complaints) console.log(`  ${complaint}`);
}
