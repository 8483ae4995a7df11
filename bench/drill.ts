/**
 * `npm run drill`: 500 targets fail in five ways by a script, half answers among them, half of the monitors with an
 * assertion, on SQLite and then on PostgreSQL. The soak's comparison, which knows the script and nothing of the program,
 * must find no false alarm and no outage missed, and 99 of 100 known within the interval, the wait before a recheck
 * and 5 s.
 *
 *   npm run drill -- --mixed                       with monitors of all kinds but pings
 *   npm run drill -- --seconds 120                 instead of five minutes each; any flag of the soak
 *   npm run drill -- messages                      outages, in each of which a server is killed (-9) at a random moment between the
 *                                                  check and the delivery of what it leads to: on SQLite, on PostgreSQL, and with two
 *                                                  servers on one PostgreSQL; 50 kills each
 *   npm run drill -- messages --kills 10 --seed 7  other times; the seed is printed
 *   npm run drill -- agents                        20 agents report each second to a server that is killed (-9) and away for a minute
 *
 * Ends with 1 when anything was lost, doubled, or notified of in the wrong order.
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { playInterrupted, type Verdict } from "../server/test/faults/interrupted-outages.ts";
import { playServerAway } from "../server/test/faults/server-away.ts";
import { findPostgres, startPostgres } from "../server/test/harness/postgres.ts";
import { DURABLE } from "./stores.ts";

const FLAGS = [
  ...["--seconds", "300", "--monitors", "500", "--kills", "0"],
  ...["--interval", "10", "--timeout", "2", "--within", "5"],
];

const [other, ...args] = process.argv.slice(2);
if (other === "messages") await playMessages(args);
else if (other === "agents") await playAgents();
else playOutages();

function playOutages(): void {
  const failed = [[], ["--postgres"]].filter((store) => {
    const all = [join(import.meta.dirname, "soak.ts"), ...FLAGS, ...process.argv.slice(2), ...store];
    return spawnSync(process.execPath, all, { stdio: "inherit" }).status !== 0;
  });
  process.exitCode = failed.length;
}

async function playAgents(): Promise<void> {
  const begun = performance.now();
  const verdict = await playServerAway({
    ...{ agents: 20, intervalMs: 1_000, awayMs: 60_000, aroundMs: 20_000, haste: 1 },
  });
  const seconds = Math.round((performance.now() - begun) / 1_000);
  const { made, stored, complaints } = verdict;
  console.log(
    `20 agents, 60 s away: ${made} reports made, ${stored} stored, ${seconds} s: ${complaints.length === 0 ? "all well" : "NOT WELL"}`,
  );
  for (const complaint of complaints) console.log(`  ${complaint}`);
  if (complaints.length > 0) process.exitCode = 1;
}

async function playMessages(flags: string[]): Promise<void> {
  const { values } = parseArgs({
    args: flags,
    options: { kills: { type: "string", default: "50" }, seed: { type: "string" } },
  });
  const kills = Number(values.kills);
  const seed = Number(values.seed ?? Date.now() % 1_000_000);
  if (!Number.isInteger(kills) || kills < 1 || !Number.isInteger(seed)) {
    console.error("The flags are whole numbers: --kills 50 --seed 7");
    process.exit(2);
  }

  console.log(`seed ${seed}, ${kills} kills each`);
  const play = (name: string, servers: number, databaseUrl: string | null) =>
    playKills({ name, servers, databaseUrl, kills, seed });
  await play("SQLite", 1, null);
  const binaries = findPostgres();
  if (binaries) {
    for (const servers of [1, 2]) {
      const postgres = await startPostgres(binaries, DURABLE);
      const name = servers === 1 ? "PostgreSQL" : "two servers on one PostgreSQL";
      await play(name, servers, `${postgres.url}/postgres`).finally(postgres.stop);
    }
  } else console.error("PostgreSQL is not installed, so its halves are left out.");
}

interface Play {
  name: string;
  servers: number;
  databaseUrl: string | null;
  kills: number;
  seed: number;
}

async function playKills({ name, ...play }: Play): Promise<void> {
  console.log(`${name} …`);
  const begun = performance.now();
  const verdict = await playInterrupted(play);
  print(verdict, (performance.now() - begun) / 1_000);
  if (verdict.complaints.length > 0) process.exitCode = 1;
}

function print({ complaints, incidents, messages, repeated, ...verdict }: Verdict, seconds: number): void {
  const counts = `${verdict.kills} kills, ${incidents} incidents, ${messages} messages, ${repeated} of them repeated`;
  console.log(`  ${counts}, ${Math.round(seconds)} s: ${complaints.length === 0 ? "all well" : "NOT WELL"}`);
  for (const complaint of complaints) console.log(`  ${complaint}`);
}
