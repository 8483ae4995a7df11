/**
 * `npm run drill -- agents`: 20 agents report each second to a server that is killed (-9) and away for a minute. Ends with 1
 * unless each sequence of each agent arrived exactly once.
 */
import { playServerAway } from "../server/test/faults/server-away.ts";

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
