/**
 * `npm run drill`: 500 targets fail in five ways by a script, half answers among them, half of the monitors with an
 * assertion, on SQLite and then on PostgreSQL. The soak's judge, which knows the script and nothing of the program,
 * must find no false alarm and no outage missed, and 99 of 100 known within the interval, the wait before a recheck
 * and 5 s.
 *
 *   npm run drill -- --mixed                       with monitors of all kinds but pings
 *   npm run drill -- --seconds 120                 instead of five minutes each; any flag of the soak
 *   npm run drill -- messages                      another drill: kills between checks and messages (drill-messages.ts)
 *   npm run drill -- agents                        another: agents whose server is killed and away (drill-agents.ts)
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";

const FLAGS = [
  ...["--seconds", "300", "--monitors", "500", "--kills", "0"],
  ...["--interval", "10", "--timeout", "2", "--within", "5"],
];

const OTHERS = ["messages", "agents"];
const other = process.argv[2] ?? "";
if (OTHERS.includes(other)) {
  const args = [join(import.meta.dirname, `drill-${other}.ts`), ...process.argv.slice(3)];
  process.exit(spawnSync(process.execPath, args, { stdio: "inherit" }).status ?? 1);
}
const failed = [[], ["--postgres"]].filter((store) => {
  const args = [join(import.meta.dirname, "soak.ts"), ...FLAGS, ...process.argv.slice(2), ...store];
  return spawnSync(process.execPath, args, { stdio: "inherit" }).status !== 0;
});
process.exit(failed.length);
