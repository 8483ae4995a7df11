import { expect, it } from "vitest";
import { markPaused } from "../../../src/app/pipeline.ts";
import type { Assignment, FirstCheck } from "../../../src/engine/probe/link.ts";
import { Roster, shareOf } from "../../../src/engine/probe/roster.ts";
import { markResumed } from "../../../src/engine/status/monitor-states.ts";
import { installation } from "../../app/engine/setup.ts";
import { eachEngine } from "../../harness/stores.ts";

const url = "http://site.test/";

/** A probe that only records its assignments. */
function notedProbe() {
  const assigned: { assignment: Assignment; firstCheck: FirstCheck | undefined }[] = [];
  const unassigned: number[] = [];
  const rechecked: number[] = [];
  return {
    assigned,
    unassigned,
    rechecked,
    take: () => assigned.splice(0).map(({ assignment, firstCheck }) => [assignment.monitorId, firstCheck]),
    probe: {
      assign: (list: Assignment[], firstCheck?: FirstCheck) =>
        void assigned.push(...list.map((assignment) => ({ assignment, firstCheck }))),
      unassign: (ids: number[]) => void unassigned.push(...ids),
      recheck: (id: number) => void rechecked.push(id),
      checkNow: () => {},
    },
  };
}

eachEngine("assignments of a probe", (name) => {
  async function rostered() {
    const house = await installation(name);
    const noted = notedProbe();
    const roster = new Roster(house.ctx, { probe: noted.probe, self: { id: "self" }, location: "local" });
    const checked = (id: number) =>
      house.store.db
        .updateTable("monitor_states")
        .set({ last_check_at: 1 })
        .where("monitor_id", "=", id)
        .execute();
    return { house, noted, roster, checked };
  }

  it("are the enabled, undeleted monitors of its location, in milliseconds and with opened secrets", async () => {
    const { house, noted, roster } = await rostered();
    const id = await house.addMonitor({
      url,
      config: { method: "HEAD" },
      secrets: { authConfig: { token: "s3cret" } },
      intervalSeconds: 30,
      timeoutSeconds: 7,
    });
    const near = await house.addMonitor({ url: "http://a.test/", locations: ["far", "local"] });
    await house.addMonitor({ url: "http://b.test/", enabled: false });
    await house.addMonitor({ url: "http://c.test/", locations: ["far"] });
    await house.deleteMonitor(await house.addMonitor({ url: "http://d.test/" }));
    await roster.syncAll();
    expect(noted.assigned.map(({ assignment }) => assignment.monitorId).sort()).toEqual([id, near].sort());
    expect(noted.assigned.find(({ assignment }) => assignment.monitorId === id)?.assignment).toEqual({
      monitorId: id,
      revision: 1,
      type: "http",
      config: { url, method: "HEAD", authConfig: { token: "s3cret" } },
      intervalMs: 30_000,
      recheckDelayMs: 2_000,
      timeoutMs: 7_000,
      confirmations: 2,
      recoveries: 2,
      countsFrom: 0,
    });
  });

  it("have no longer a recheck delay than their interval, whatever is stored", async () => {
    const { house, noted, roster } = await rostered();
    const delayOf = async (recheck_delay_seconds: number) => {
      const id = await house.addMonitor({ url, intervalSeconds: 30 });
      await house.store.db
        .updateTable("monitors")
        .set({ recheck_delay_seconds })
        .where("id", "=", id)
        .execute();
      await roster.syncAll();
      return noted.assigned.find(({ assignment }) => assignment.monitorId === id)?.assignment.recheckDelayMs;
    };
    expect([await delayOf(0), await delayOf(29), await delayOf(60)]).toEqual([0, 29_000, 30_000]);
  });

  it("come with the time of their newest result at a start, so that a run missed meanwhile is made up", async () => {
    const { house, noted, roster, checked } = await rostered();
    const [old, fresh] = [
      await house.addMonitor({ url }),
      await house.addMonitor({ url: "http://new.test/" }),
    ];
    await checked(old);
    await roster.syncAll();
    expect(
      new Map(noted.assigned.map(({ assignment }) => [assignment.monitorId, assignment.lastAtMs])),
    ).toEqual(
      new Map([
        [old, 1],
        [fresh, undefined],
      ]),
    );
  });

  it("are checked at once at a start where a change of status waits for its confirmation", async () => {
    const { house, noted, roster } = await rostered();
    const set = async (status: "up" | "down", outcome: 0 | 1 | 2) => {
      const id = await house.addMonitor({ url });
      await house.store.db
        .updateTable("monitor_states")
        .set({ status, last_outcome: outcome, last_check_at: 1 })
        .where("monitor_id", "=", id)
        .execute();
      return id;
    };
    const [failing, recovering] = [await set("up", 1), await set("down", 0)];
    const [well, slow, ill] = [await set("up", 0), await set("up", 2), await set("down", 1)];
    await roster.syncAll();
    expect(noted.take().toSorted()).toEqual(
      [
        ...[failing, recovering].map((id) => [id, "now"]),
        ...[well, slow, ill].map((id) => [id, "on_grid"]),
      ].toSorted(),
    );
    await roster.syncAll();
    expect(noted.take()).toEqual([]);
  });

  it("wait for their grid at a start, but not those that were never checked", async () => {
    const { house, noted, roster, checked } = await rostered();
    const [old, fresh] = [
      await house.addMonitor({ url }),
      await house.addMonitor({ url: "http://new.test/" }),
    ];
    await checked(old);
    await roster.syncAll();
    expect(noted.take().sort()).toEqual(
      [
        [old, "on_grid"],
        [fresh, "now"],
      ].sort(),
    );
  });

  it("follow what is added, changed, paused, resumed and deleted; what did not change is not sent again", async () => {
    const { house, noted, roster, checked } = await rostered();
    const first = await house.addMonitor({ url });
    await roster.syncAll();
    noted.take();
    await checked(first);
    const second = await house.addMonitor({ url: "http://second.test/" });
    await roster.sync([first, second]);
    expect(noted.take()).toEqual([[second, "now"]]);
    await house.changeMonitor(first, { url: "http://changed.test/" });
    await roster.sync([first]);
    expect(noted.take()).toEqual([[first, "now"]]);
    await house.changeMonitor(first, { url: "http://changed.test/", enabled: false });
    await roster.sync([first]);
    expect(noted.unassigned).toEqual([first]);
    await house.changeMonitor(first, { url: "http://changed.test/" });
    await roster.sync([first]);
    expect(noted.take()).toEqual([[first, "now"]]);
    await house.deleteMonitor(second);
    await roster.sync([second]);
    expect(noted.unassigned).toEqual([first, second]);
  });

  it("say since which revision results count when a pause and its end come at once", async () => {
    const { house, noted, roster } = await rostered();
    const id = await house.addMonitor({ url });
    await roster.syncAll();
    await house.changeMonitor(id, { url, enabled: false });
    await house.changeMonitor(id, { url });
    await house.store.transaction(async (trx) => {
      await markPaused(trx, [id], house.clock.now());
      await markResumed(trx, [id], house.clock.now());
    });
    await roster.sync([id]);
    expect(noted.assigned.map(({ assignment }) => [assignment.revision, assignment.countsFrom])).toEqual([
      [1, 0],
      [3, 3],
    ]);
  });

  it("are put right by a full comparison when no event announced a change", async () => {
    const { house, noted, roster, checked } = await rostered();
    const [gone, stays] = [
      await house.addMonitor({ url }),
      await house.addMonitor({ url: "http://stays.test/" }),
    ];
    await roster.syncAll();
    noted.take();
    await checked(stays);
    await house.deleteMonitor(gone);
    const added = await house.addMonitor({ url: "http://added.test/" });
    await roster.syncAll();
    expect(noted.unassigned).toEqual([gone]);
    expect(noted.take()).toEqual([[added, "now"]]);
  });

  it("are its share of them while other probes live, and all again, on the grid, when they are gone", async () => {
    const { house, noted, roster, checked } = await rostered();
    const ids: number[] = [];
    for (let index = 0; index < 20; index += 1)
      ids.push(await house.addMonitor({ url: `http://${index}.test/` }));
    for (const id of ids) await checked(id);
    const live = ["other", "self"];
    const own = shareOf("self", live, ids);
    roster.live = live;
    await roster.syncAll();
    expect(
      noted
        .take()
        .map(([id]) => id as number)
        .sort((a, b) => a - b),
    ).toEqual(own);
    roster.live = ["self"];
    await roster.syncAll();
    const taken = noted.take();
    expect(taken.map(([id]) => id as number).sort((a, b) => a - b)).toEqual(
      ids.filter((id) => !own.includes(id)),
    );
    expect(new Set(taken.map(([, firstCheck]) => firstCheck))).toEqual(new Set(["on_grid"]));
    roster.live = live;
    await roster.syncAll();
    expect(noted.unassigned.sort((a, b) => a - b)).toEqual(
      taken.map(([id]) => id as number).sort((a, b) => a - b),
    );
  });

  it("are checked once more where a dead worker owed the verdict of the newest run", async () => {
    const { house, noted, roster } = await rostered();
    const checkedAt = async (at: number | null, intervalSeconds = 86_400) => {
      const id = await house.addMonitor({ url, intervalSeconds });
      const states = house.store.db.updateTable("monitor_states").set({ status: "up", last_outcome: 0 });
      await states.set({ last_check_at: at }).where("monitor_id", "=", id).execute();
      return id;
    };
    const now = house.clock.now();
    const owed = [await checkedAt(null), await checkedAt(now - 25 * 3_600_000)];
    await checkedAt(now);
    await checkedAt(now - 3_600_000, 30);
    await roster.syncAll();
    for (let death = 0; death < 3; death += 1) await roster.recheckForgotten();
    expect(noted.rechecked.toSorted((a, b) => a - b)).toEqual(owed);
  });

  it("leave out a monitor whose secrets cannot be decrypted: it would seem down", async () => {
    const { house, noted, roster } = await rostered();
    const sealed = await house.addMonitor({ url, secrets: { authConfig: { token: "x" } } });
    const plain = await house.addMonitor({ url: "http://plain.test/" });
    await house.store.db
      .updateTable("monitors")
      .set({ secrets: "garbage" })
      .where("id", "=", sealed)
      .execute();
    await roster.syncAll();
    expect(noted.take()).toEqual([[plain, "now"]]);
    expect(house.log.lines).toEqual([expect.stringContaining("cannot be decrypted")]);
  });
});
