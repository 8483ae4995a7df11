import { expect, it } from "vitest";
import { hang } from "../harness/behaviours.ts";
import { eventually } from "../harness/eventually.ts";
import { openHouse } from "./house.ts";
import { readStored, startSites } from "./served.ts";

const HANGING = 1_000;
const WELL = 20;
/** One line, whole. */
const TIMED_OUT = /^Timed out after 9 s: [^\n]+\.$/;

it("checks its other monitors every time while a thousand targets hang at once, and says so of each", async () => {
  const house = await openHouse();
  const sites = await startSites(HANGING + WELL);
  sites.set(hang, (site) => site < HANGING);
  const hanging = await house.addDomains(sites.urls.slice(0, HANGING), { timeout: 9 });
  const well = await house.addDomains(sites.urls.slice(HANGING));
  const sinceMs = Date.now();
  const { data } = await eventually(
    async () => (await house.request("/api/domains/stats")).body,
    ({ data: seen }) => seen.down === HANGING,
    120_000,
  );
  expect(data).toMatchObject({ total: HANGING + WELL, up: WELL, down: HANGING });
  const untilMs = Date.now();
  const { times } = await readStored(house, well);
  const wanted = Math.floor((untilMs - sinceMs) / 10_000);
  expect(wanted).toBeGreaterThanOrEqual(1);
  // Every run of the grid, none left out: ten seconds apart, to the millisecond.
  for (const own of times) {
    // The first check came when the domain did, beside the grid.
    const grid = own.slice(1).filter((at) => at > sinceMs && at < untilMs - 2_000);
    expect(grid.length).toBeGreaterThanOrEqual(wanted - 1);
    for (const [index, at] of grid.slice(1).entries()) expect(at - (grid[index] as number)).toBe(10_000);
  }
  const list = await house.get("/api/domains?status=down&limit=1000");
  expect(list).toHaveLength(HANGING);
  const others = list.filter(({ lastReason }: { lastReason: string }) => !TIMED_OUT.test(lastReason));
  expect(others).toEqual([]);
  expect((await house.get(`/api/domains/${well[0]}`)).lastReason).toBeNull();
  // Down is two checks that timed out: both are stored, and counted.
  const stored = await readStored(house, hanging);
  expect(stored.times.filter(({ length }) => length < 2)).toEqual([]);
  expect(stored.rolledUp).toEqual(stored.times.map(({ length }) => length));
  expect(house.loggedProblems()).toEqual([]);
}, 240_000);
