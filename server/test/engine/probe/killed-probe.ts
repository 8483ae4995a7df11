import { startLocalProbe } from "../../../src/engine/probe/location-probe.ts";
import { systemClock } from "../../../src/platform/clock.ts";

/**
 * A process of its own for the kill -9 test: checks `url` all the time while its store refuses
 * everything, and writes the scheduled times of the results that it was offered, a line each.
 */
const [folder = "", url = ""] = process.argv.slice(2);
const reported = new Set<number>();
const silent = { debug() {}, info() {}, warn() {}, error() {} };

const probe = startLocalProbe({
  location: "local",
  folder,
  workers: 1,
  settings: { policy: "all", resolvers: [], referenceTargets: ["off"] },
  log: silent,
  sink: {
    async accept({ results }) {
      for (const { scheduledAt } of results) {
        if (!reported.has(scheduledAt)) process.stdout.write(`${scheduledAt}\n`);
        reported.add(scheduledAt);
      }
      throw new Error(`no store at ${systemClock.now()}`);
    },
  },
});
probe.assign([
  { monitorId: 1, revision: 1, type: "http", config: { url }, intervalMs: 60, timeoutMs: 1_000 },
]);
