import { expect, it } from "vitest";
import { hang } from "../harness/behaviours.ts";
import { eventually } from "../harness/eventually.ts";
import { openHouse } from "./house.ts";
import { readStored, startSites } from "./served.ts";

const HANGING = 1_000;
const WELL = 20;

it("checks its other monitors every time while a thousand targets hang at once, and says so of each", async () => {
  const house = await openHouse();
  const sites = await startSites(HANGING + WELL);
  sites.set(hang, (site) => site < HANGING);
  const hanging = await house.addDomains(sites.urls.slice(0, HANGING), { timeout: 9 });
  const well = await house.addDomains(sites.urls.slice(HANGING));
  const sinceMs = Date.now();
  const { data } = await eventually(
    async () => (await house.ask("/api/domains/stats")).body,
    ({ data: seen }) => seen.down === HANGING,
    60_000,
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
  const domain = await house.get(`/api/domains/${hanging[500]}`);
  expect(domain.lastReason).toMatch(/^Timed out after 9 s: /);
  expect((await house.get(`/api/domains/${well[0]}`)).lastReason).toBeNull();
  expect(house.troubles()).toEqual([]);
}, 90_000);
