import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, inject, it, onTestFinished } from "vitest";
import { bearer, openEvents } from "../app/live/event-source.ts";
import { status } from "../harness/behaviours.ts";
import { eventually } from "../harness/eventually.ts";
import { startServerProcess, temporaryFolder } from "../harness/process.ts";
import { createTestDatabase } from "../harness/stores.ts";
import { openHouse } from "./house.ts";
import { readStored, startSites } from "./served.ts";

const SITES = 40;
const METRICS = { VEDETTE_METRICS: "loopback" };
/** 15 s of silence, seen at a heartbeat every 5 s; then the grid of 10 s, and a busy machine. */
const TAKEN_OVER_MS = 20_000 + 10_000 + 3_000;

/** How many monitors the process at `url` checks. */
async function shareOf(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^vedette_engine_monitors (\d+)$/m.exec(text)?.[1] ?? -1);
}

describe.skipIf("missing" in inject("postgres"))("two server processes on one PostgreSQL", () => {
  it("share the monitors, report the same, and when one is killed the other has them all in half a minute", async () => {
    const { location, remove } = await createTestDatabase("postgres");
    onTestFinished(remove);
    const databaseUrl = (location as { url: string }).url;
    const house = await openHouse({ databaseUrl, environment: METRICS });
    const second = temporaryFolder();
    onTestFinished(second.remove);
    copyFileSync(join(house.folder, "secret.key"), join(second.folder, "secret.key"));
    const other = await startServerProcess(second.folder, { DATABASE_URL: databaseUrl, ...METRICS });
    onTestFinished(async () => void (await other.stop("SIGKILL")));
    const sites = await startSites(SITES);
    const ids = await house.addDomains(sites.urls);
    const shares = () => Promise.all([shareOf(house.server.url), shareOf(other.url)]);
    await eventually(shares, ([a, b]) => a > 0 && b > 0 && a + b === SITES, 30_000);
    await eventually(
      () => house.get("/api/domains/stats"),
      ({ up }) => up === SITES,
    );

    const stream = await openEvents(`${other.url}/api/events`, bearer(house.key));
    sites.set(status(503), (site) => site % 2 === 0);
    await eventually(
      () => stream.events.filter(({ event, data }) => event === "status" && data.status === "down").length,
      (count) => count === SITES / 2,
      15_000,
    );
    stream.close();

    await house.kill();
    const killedAt = Date.now();
    sites.set(status(200));
    await eventually(
      () => sites.served,
      (served) => served.every((own) => (own.at(-1) ?? 0) > killedAt),
      TAKEN_OVER_MS,
    );
    expect(await shareOf(other.url)).toBe(SITES);
    const story = () =>
      house.look(async ({ db }) => ({
        statuses: (await db.selectFrom("monitor_states").select("status").execute()).map((row) => row.status),
        incidents: await db.selectFrom("incidents").select(["monitor_id", "status"]).execute(),
        notifications: (await db.selectFrom("notifications").select("event").execute()).map(
          (row) => row.event,
        ),
      }));
    const { incidents, notifications } = await eventually(
      story,
      ({ statuses }) => statuses.every((each) => each === "up"),
      25_000,
    );
    expect(incidents.map((incident) => incident.monitor_id).toSorted((a, b) => (a ?? 0) - (b ?? 0))).toEqual(
      ids.filter((_, site) => site % 2 === 0).toSorted((a, b) => a - b),
    );
    expect(new Set(incidents.map((incident) => incident.status))).toEqual(new Set(["resolved"]));
    expect(notifications.toSorted()).toEqual([
      ...Array(SITES / 2).fill("monitor.down"),
      ...Array(SITES / 2).fill("monitor.up"),
    ]);

    // No site got more requests than there are results: two processes never check one monitor for long.
    const stored = await readStored(house, ids);
    for (const [site, own] of stored.times.entries()) {
      expect(stored.rolledUp[site]).toBe(own.length);
      const requests = (sites.served[site] ?? []).filter((at) => at < (own.at(-1) ?? 0) + 100).length;
      expect(requests - own.length).toBeLessThanOrEqual(2);
    }
  }, 240_000);
});
