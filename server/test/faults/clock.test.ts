import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { status } from "../harness/behaviours.ts";
import { eventually } from "../harness/eventually.ts";
import { temporaryFolder } from "../harness/process.ts";
import { openHouse } from "./house.ts";
import { expectEverythingStored, readStored, startSites, total } from "./served.ts";

const HOUR_MS = 3_600_000;
const SITES = 20;

/** A house whose server's wall clock can be moved while it runs. */
async function openHouseWithClock() {
  const { folder, remove } = temporaryFolder();
  onTestFinished(remove);
  const file = join(folder, "shift");
  const preload = new URL(`./shifted-clock.mjs?${encodeURIComponent(file)}`, import.meta.url);
  const house = await openHouse({
    environment: { NODE_OPTIONS: `--import ${preload.href}` },
  });
  return { house, shift: (ms: number) => writeFileSync(file, String(ms)) };
}

const allHaveMore = (counts: readonly number[][], before: readonly number[], more: number) =>
  counts.every((own, site) => own.length >= (before[site] ?? 0) + more);

it("goes on checking, storing and deciding when the clock is set back an hour, and says so once", async () => {
  const { house, shift } = await openHouseWithClock();
  const sites = await startSites(SITES);
  const ids = await house.addDomains(sites.urls);
  const stats = () => house.get("/api/domains/stats");
  await eventually(stats, ({ up }) => up === SITES);

  shift(-HOUR_MS);
  const before = sites.served.map(({ length }) => length);
  await eventually(
    () => sites.served,
    (served) => allHaveMore(served, before, 1),
    25_000,
  );
  expect(await stats()).toMatchObject({ up: SITES, down: 0, unknown: 0 });
  sites.set(status(503), (site) => site < 5);
  await eventually(stats, ({ down }) => down === 5, 25_000);
  const { data: incidents } = (await house.request("/api/incidents")).body;
  expect(incidents).toHaveLength(5);
  await expectEverythingStored(house, ids, sites);
  expect(house.loggedProblems()).toMatchObject([{ msg: expect.stringMatching(/^The clock was set back/) }]);
}, 240_000);

it("does not take new checks for old ones when it starts again after the clock was set back", async () => {
  const { house, shift } = await openHouseWithClock();
  const sites = await startSites(SITES);
  const ids = await house.addDomains(sites.urls);
  const stats = () => house.get("/api/domains/stats");
  const first = sites.served.map(() => 0);
  await eventually(
    () => sites.served,
    (served) => allHaveMore(served, first, 2),
    20_000,
  );
  await house.kill();
  // Back to where the runs that are stored are ahead again.
  shift(-15_000);
  await house.start();
  sites.set(status(503));
  await eventually(stats, ({ down }) => down === SITES, 25_000);
  const stored = await eventually(
    () => readStored(house, ids),
    ({ times }) => total(times) >= total(sites.served) - 1,
  );
  expect(stored.times.map(({ length }) => length)).toEqual(stored.rolledUp);
}, 240_000);
