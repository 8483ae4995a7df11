import { expect } from "vitest";
import { status } from "../harness/behaviours.ts";
import { eventually } from "../harness/eventually.ts";
import { openHouse } from "./house.ts";
import { expectEverythingStored, startSites } from "./served.ts";
import type { SmallDisk } from "./small-disk.ts";

const SITES = 40;

/** The whole bad day on such a disk; a string says why it cannot be had here. */
export async function surviveFullDisk(open: () => SmallDisk | string): Promise<string | undefined> {
  const disk = open();
  if (typeof disk === "string") return disk;
  const house = await openHouse({ folder: disk.folder });
  const sites = await startSites(SITES);
  const ids = await house.addDomains(sites.urls);
  const { pid } = house.server;
  const stats = () => house.get("/api/domains/stats");
  await eventually(stats, ({ up }) => up === SITES);

  disk.fill(pid);
  const before = sites.served.map(({ length }) => length);
  await eventually(
    () => sites.served,
    (served) => served.every((own, site) => own.length >= (before[site] ?? 0) + 2),
    30_000,
  );
  expect(await stats()).toMatchObject({ total: SITES });
  const refused = await house.request("/api/domains", {
    method: "POST",
    body: { name: "new", url: sites.urls[0] },
  });
  expect(refused.status).toBe(503);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(refused.body).toMatchObject({ success: false, message: "Service Unavailable" });
  // The line about an answer may come after the answer.
  const logged = await eventually(
    () => house.loggedProblems().map(({ msg }) => msg),
    (lines) => lines.includes("Service Unavailable"),
  );
  // Whether what happened is looked at while the disk is full depends on when it was.
  const sending = "Job deliver-messages failed; it is tried again every 1000 ms";
  expect(logged.filter((line) => line !== sending).sort()).toEqual([
    "Job probe-heartbeat failed; it is tried again every 5000 ms",
    "Job sweep-stale-monitors failed; it is tried again every 1000 ms",
    "Service Unavailable",
    "The queue of results cannot be written to disk; results are held in memory meanwhile",
    "The store does not take results; they are queued on disk and retried",
  ]);

  sites.set(status(503));
  disk.empty(pid);
  await eventually(stats, ({ down }) => down === SITES, 30_000);
  await expectEverythingStored(house, ids, sites);
  expect(house.server.pid).toBe(pid);
  return undefined;
}
