import { expect, it, onTestFinished } from "vitest";
import { status } from "../harness/behaviours.ts";
import { eventually } from "../harness/eventually.ts";
import { seeded } from "../harness/seeded.ts";
import { watchLateness } from "../harness/stopwatch.ts";
import { createTestDatabase, eachEngine } from "../harness/stores.ts";
import { type House, openHouse } from "./house.ts";
import { readStored, type Stored, startSites, withoutResult } from "./served.ts";

const SITES = 300;
const KILLS = 4;
/** A check that was answered this long before the kill is on disk: 20 ms by design, the rest for the operating system. */
const ON_DISK_MS = 150;
/** The same times in every run. */
const SEED = 20_261_121;

interface Kill {
  at: number;
  /** How long a request took before it, or a timer was late: how busy the machine was. */
  heldUpMs: number;
}

/** Whether a check that was answered at that time must have a result, whatever was killed when. */
const isSafe = (at: number, kills: readonly Kill[]) =>
  !kills.some((kill) => at > kill.at - ON_DISK_MS - kill.heldUpMs && at <= kill.at);

/**
 * Creates domains one by one until the server is gone: the ids that were acknowledged, and how long the slowest took to
 * be answered, which is how busy the server and its store are.
 */
async function createUntilGone(house: House, from: number): Promise<{ ids: number[]; slowestMs: number }> {
  const ids: number[] = [];
  let slowestMs = 0;
  for (let index = from; ; index += 1) {
    const body = {
      name: `Late ${index}`,
      url: `http://127.0.0.1:1/${index}`,
      checkInterval: 3_600,
      enabled: false,
    };
    const startedMs = performance.now();
    const made = await house.request("/api/domains", { method: "POST", body }).catch(() => null);
    slowestMs = Math.max(slowestMs, performance.now() - startedMs);
    if (made?.status !== 201) return { ids, slowestMs };
    ids.push(made.body.data.id);
  }
}

const missing = (before: Stored, after: Stored) =>
  before.times.flatMap((own, site) => {
    const there = new Set(after.times[site]);
    return own.filter((at) => !there.has(at)).map((at) => ({ site, at }));
  });

eachEngine("kill -9", (engine) => {
  it("loses no result and no change that was acknowledged, and doubles none, at random times under load", async () => {
    const random = seeded(SEED);
    const lateness = watchLateness();
    onTestFinished(lateness.stop);
    const database = await createTestDatabase(engine);
    onTestFinished(() => database.remove());
    const house = await openHouse("url" in database.location ? { databaseUrl: database.location.url } : {});
    const sites = await startSites(SITES);
    const ids = await house.addDomains(sites.urls);
    const late: number[] = [];
    const kills: Kill[] = [];
    for (let kill = 0; kill < KILLS; kill += 1) {
      // Half of the sites change sides, so that states, incidents and notifications are written as well.
      sites.set(status(kill % 2 === 0 ? 503 : 200), (site) => site % 2 === 0);
      const creating = createUntilGone(house, kill * 10_000);
      await new Promise((resolve) => setTimeout(resolve, 300 + 3_000 * random()));
      const before = await readStored(house, ids);
      await house.kill();
      const at = Date.now();
      const { ids: created, slowestMs } = await creating;
      kills.push({ at, heldUpMs: Math.max(slowestMs, lateness.mostMs()) });
      late.push(...created);
      await house.start();
      expect(missing(before, await readStored(house, ids))).toEqual([]);
      expect(house.loggedProblems()).toEqual([]);
    }
    const served = sites.served.map((own) => [...own]);
    const lost = (stored: Stored) =>
      stored.times.flatMap((own, site) =>
        withoutResult(served[site] ?? [], own, (at) => isSafe(at, kills)).map((at) => ({ site, at })),
      );
    const stored = await eventually(
      () => readStored(house, ids),
      (now) => lost(now).length === 0,
    );
    for (const [site, own] of stored.times.entries()) {
      expect(own.length).toBeLessThanOrEqual(sites.served[site]?.length ?? 0);
      expect(stored.rolledUp[site]).toBe(own.length);
    }
    expect(late.length).toBeGreaterThan(0);
    for (const id of late.slice(-20)) await house.get(`/api/domains/${id}`);
    await expectOneStory(house);
  }, 240_000);
});

/** Nothing that follows from a change of status is there twice. */
async function expectOneStory(house: House): Promise<void> {
  const { transitions, incidents, notifications } = await house.look(async ({ db }) => ({
    transitions: await db.selectFrom("transitions").select(["monitor_id", "at", "to_status"]).execute(),
    incidents: await db.selectFrom("incidents").select(["monitor_id", "started_at"]).execute(),
    // Some are of no incident, such as of what is watched no more; those say of whom they are.
    notifications: await db
      .selectFrom("notifications")
      .select(["incident_id", "event", "monitor_id", "message"])
      .execute(),
  }));
  expect(incidents.length).toBeGreaterThan(0);
  for (const rows of [transitions, incidents, notifications]) {
    const keys = rows.map((row) => JSON.stringify(row));
    expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([]);
  }
}
