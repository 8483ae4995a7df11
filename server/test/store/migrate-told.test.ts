import { expect, it, onTestFinished } from "vitest";
import { backupStore, restoreStore } from "../../src/store/backup.ts";
import { insertMany } from "../../src/store/bulk.ts";
import { openStore, type StoreLocation } from "../../src/store/open.ts";
import type { Store } from "../../src/store/store.ts";
import { database, emptyDatabase, migrationsBefore, temporaryFile, withStore } from "../harness/databases.ts";
import { monitorRow, organizationRow } from "../harness/rows.ts";
import { type EngineName, eachEngine } from "../harness/stores.ts";

/** A database that `fill` filled before the migration of this number. */
async function filledBefore(
  engine: EngineName,
  number: string,
  fill: (db: Store["db"]) => Promise<void>,
): Promise<StoreLocation> {
  const location = await emptyDatabase(engine);
  const older = await openStore(location, { migrations: migrationsBefore(number) });
  await insertMany(older.db, "organizations", [organizationRow(1)]);
  await fill(older.db).finally(() => older.close());
  return location;
}

/** A store of such a database, brought up to date; it closes when the test ends. */
async function openMigrated(...older: Parameters<typeof filledBefore>): Promise<Store> {
  const store = await openStore(await filledBefore(...older));
  onTestFinished(() => store.close());
  return store;
}

const isOfDevice = (event: string) => event.startsWith("device.");

const channelRow = (id: number, more: object = {}) => ({
  ...{ id, uuid: `channel-${id}`, organization_id: 1, name: "Mail", type: "email", target: "a@b.test" },
  ...{ severities: "[]", tags: "[]", config: "{}", language: "en", time_zone: "UTC", events: "[]" },
  ...{ user_id: null, enabled: 1, created_at: 7, updated_at: 7, ...more },
});

const threadRow = (channelId: number, monitorId: number | null, more: object = {}) => ({
  ...{ organization_id: 1, channel_id: channelId, monitor_id: monitorId, opened_at: 10 },
  ...{ closed_at: null, told_at: null, reference: null, remind_at: null, ...more },
});

const userRow = (id: number) => ({
  ...{ id, uuid: `user-${id}`, email: `${id}@b.test`, name: "Ada", password_hash: "" },
  ...{ created_at: 7, updated_at: 7 },
});

const incidentRow = (id: number, acknowledged_at: number | null) => ({
  ...{ id, uuid: `incident-${id}`, organization_id: 1, monitor_id: null, automatic: 1, acknowledged_at },
  ...{ title: "Shop is down", search_text: "shop is down", description: "", status: "open" },
  ...{ severity: "high", impact: "major", started_at: 0, detected_at: 0, created_at: 0, updated_at: 0 },
});

const insertThread = (db: Store["db"], more: object) =>
  db
    .insertInto("channel_threads")
    .values({ ...threadRow(1, null), ...more })
    .returning("id")
    .executeTakeFirstOrThrow();

const stateRow = (monitorId: number, more: { status: string }) => ({
  ...{ monitor_id: monitorId, status_since: 5, rules: "[]", flapping: 0, last_outcome: null },
  ...{ last_check_at: null, last_status_code: null, last_total_us: null, last_result: null },
  ...{ consecutive_failures: 0, stale_at: null, maintenance_until: null, ...more },
});

const closedAt = async (db: Store["db"]) =>
  (await db.selectFrom("channel_threads").select("closed_at").orderBy("id").execute()).map(
    ({ closed_at }) => closed_at,
  );

const MONITOR = ["monitor.down", "monitor.up"];
const CERTIFICATE = ["certificate.expiring", "certificate.invalid"];
const INCIDENT = ["incident.opened", "incident.updated", "incident.resolved"];

eachEngine("migrating what people are told", (engine) => {
  it("keeps every thread as it was, under its number, and gives no number twice", async () => {
    const threads = [
      threadRow(1, 5, { closed_at: 20, told_at: 12, reference: "first" }),
      threadRow(1, 5, { told_at: 31, reference: "second", remind_at: 90 }),
      threadRow(2, 5),
      threadRow(2, 6),
    ];
    const { db } = await openMigrated(engine, "069", async (older) => {
      await insertMany(older, "channels", [channelRow(1), channelRow(2)]);
      for (const thread of threads) await insertMany(older, "channel_threads", [thread]);
      await older.deleteFrom("channel_threads").where("id", "in", [1, 4]).execute();
    });
    const rows = await db.selectFrom("channel_threads").selectAll().orderBy("id").execute();
    const added = { incident_id: null, certificate_of: null, objective_of: null };
    expect(rows).toEqual([
      { id: 2, ...threads[1], ...added },
      { id: 3, ...threads[2], ...added },
    ]);
    expect(await insertThread(db, { monitor_id: 7 })).toEqual({ id: 5 });
  });

  it("has one open thread of a channel for each monitor, as before, and for each incident and certificate", async () => {
    const { db } = await openMigrated(engine, "069", async (older) => {
      await insertMany(older, "channels", [channelRow(1), channelRow(2)]);
      await insertMany(older, "channel_threads", [threadRow(1, 5), threadRow(1, 6, { closed_at: 20 })]);
    });
    await expect(insertThread(db, { monitor_id: 5 })).rejects.toThrow(/unique/i);
    await insertThread(db, { monitor_id: 6 });
    await insertThread(db, { monitor_id: 5, channel_id: 2 });
    for (const subject of ["incident_id", "certificate_of"]) {
      await insertThread(db, { [subject]: 5 });
      await insertThread(db, { [subject]: 5, closed_at: 20 });
      await insertThread(db, { [subject]: 5, channel_id: 2 });
      await expect(insertThread(db, { [subject]: 5 })).rejects.toThrow(/unique/i);
    }
  });

  it("lets threads go with their channel", async () => {
    const { db } = await openMigrated(engine, "069", async (older) => {
      await insertMany(older, "channels", [channelRow(1), channelRow(2)]);
      await insertMany(older, "channel_threads", [threadRow(1, 5), threadRow(2, 5)]);
    });
    await db.deleteFrom("channels").where("id", "=", 1).execute();
    const rows = await db.selectFrom("channel_threads").select("channel_id").execute();
    expect(rows).toEqual([{ channel_id: 2 }]);
    await expect(insertThread(db, { monitor_id: 5 })).rejects.toThrow(/foreign key/i);
  });

  it("lets people who hear of monitors hear of certificates, too, and of incidents everywhere but in mails", async () => {
    const before = [
      channelRow(1, { user_id: 3, events: JSON.stringify(MONITOR) }),
      channelRow(2, { user_id: 3, type: "slack", events: JSON.stringify(MONITOR) }),
      channelRow(3, { user_id: 4, events: JSON.stringify([...MONITOR, ...INCIDENT]) }),
      channelRow(4, { user_id: 4, type: "webhook", events: JSON.stringify([...MONITOR, ...INCIDENT]) }),
      // Wants nothing of monitors.
      channelRow(5, { user_id: 5, events: JSON.stringify(INCIDENT) }),
      // Of the organization, whose people choose.
      channelRow(6, { type: "slack", events: JSON.stringify(MONITOR) }),
    ];
    const { db } = await openMigrated(engine, "069", async (older) => {
      await insertMany(older, "users", [userRow(3), userRow(4), userRow(5)]);
      await insertMany(older, "channels", before);
    });
    const rows = await db.selectFrom("channels").select("events").orderBy("id").execute();
    // What devices are told by came later (085), and objectives (100) for the same people.
    const known = rows.map(({ events }) =>
      (JSON.parse(events) as string[]).filter((one) => !isOfDevice(one)),
    );
    const objective = "objective.burning";
    expect(known).toEqual([
      [...MONITOR, ...CERTIFICATE, objective],
      [...MONITOR, ...CERTIFICATE, ...INCIDENT, objective],
      [...MONITOR, ...INCIDENT, ...CERTIFICATE, objective],
      [...MONITOR, ...INCIDENT, ...CERTIFICATE, objective],
      INCIDENT,
      MONITOR,
    ]);
  });

  it("knows of no browser what it speaks before it says so, and a backup keeps what one said", async () => {
    const location = await filledBefore(engine, "071", (older) =>
      insertMany(older, "users", [userRow(3), userRow(4)]),
    );
    const seen = ({ db }: Store) =>
      db.selectFrom("users").select(["seen_language", "seen_time_zone"]).orderBy("id").execute();
    const unknown = { seen_language: null, seen_time_zone: null };
    expect(await withStore(location, seen)).toEqual([unknown, unknown]);
    const said = { seen_language: "de", seen_time_zone: "Europe/Berlin" } as const;
    await withStore(location, ({ db }) => db.updateTable("users").set(said).where("id", "=", 4).execute());
    const [target, file] = [await database(engine), temporaryFile()];
    await backupStore(location, file);
    await restoreStore(target, file);
    expect(await withStore(target, seen)).toEqual([unknown, said]);
  });

  it("counts outages as acknowledged that had begun by then, or that people merged into what was", async () => {
    const outage = (incidentId: number, startedAt: number | null, merged: number, known: number) => ({
      row: { incident_id: incidentId, outage_started_at: startedAt, merged },
      known,
    });
    const outages = [
      outage(1, 50, 0, 1),
      outage(1, 100, 0, 1),
      outage(1, 101, 0, 0),
      outage(1, 101, 1, 1),
      // Affected without an outage of its own.
      outage(1, null, 0, 0),
      outage(1, null, 1, 0),
      // Nobody has acknowledged this one.
      outage(2, 50, 0, 0),
      outage(2, 50, 1, 0),
    ];
    const { db } = await openMigrated(engine, "073", async (older) => {
      await insertMany(older, "incidents", [incidentRow(1, 100), incidentRow(2, null)]);
      const shop = { organization_id: 1, name: "Shop", search_text: "shop", joined: 0 };
      const rows = outages.map(({ row }, at) => ({ ...shop, ...row, monitor_id: at + 1 }));
      await insertMany(older, "affected_services", rows);
    });
    const rows = await db.selectFrom("affected_services").select("acknowledged").orderBy("id").execute();
    expect(rows.map((row) => row.acknowledged)).toEqual(outages.map(({ known }) => known));
  });

  it("ends the threads of incidents that are over, merged or gone, and no others", async () => {
    const { db } = await openMigrated(engine, "076", async (older) => {
      const open = { ...incidentRow(1, null), resolved_at: null, merged_into: null };
      const [over, merged] = [
        { ...open, id: 2, uuid: "over", resolved_at: 20 },
        { ...open, id: 3, uuid: "merged", merged_into: 1 },
      ];
      await insertMany(older, "incidents", [open, over, merged]);
      await insertMany(older, "channels", [channelRow(1)]);
      const threads = [{ incident_id: 1 }, { incident_id: 2, told_at: 12 }, { incident_id: 3 }];
      const more = [{ incident_id: 4 }, { certificate_of: 5 }];
      for (const about of [...threads, ...more])
        await insertMany(older, "channel_threads", [{ ...threadRow(1, null), ...about }]);
    });
    expect(await closedAt(db)).toEqual([null, 12, 10, 10, null]);
  });

  it("ends the threads of monitors that are up, unless they flap, are in maintenance, or speak for others", async () => {
    const states = [
      { status: "up" },
      { status: "down" },
      { status: "up", flapping: 1 },
      { status: "up", maintenance_until: 90 },
      // Leads an incident in which another one is down.
      { status: "up" },
      { status: "degraded" },
    ];
    const { db } = await openMigrated(engine, "076", async (older) => {
      await insertMany(older, "channels", [channelRow(1)]);
      const rows = states.map((state, at) => stateRow(at + 1, state));
      await insertMany(
        older,
        "monitors",
        rows.map(({ monitor_id: id }) => monitorRow(id, { name: `Shop ${id}`, search_text: "shop" })),
      );
      await insertMany(older, "monitor_states", rows);
      await insertMany(older, "incidents", [incidentRow(1, null), incidentRow(2, null)]);
      const outage = { organization_id: 1, name: "Shop", search_text: "shop", outage_started_at: 5 };
      const of = (incident_id: number, monitor_id: number, outage_ended_at: number | null) => ({
        ...{ ...outage, incident_id, monitor_id, outage_ended_at, joined: 0, merged: 0 },
      });
      await insertMany(older, "affected_services", [of(1, 1, 9), of(2, 5, 9), of(2, 2, null)]);
      for (const { monitor_id } of rows)
        await insertMany(older, "channel_threads", [threadRow(1, monitor_id)]);
    });
    expect(await closedAt(db)).toEqual([10, null, null, null, null, null]);
  });

  it("sends nothing any more that people wrote of incidents before these had threads", async () => {
    const { db } = await openMigrated(engine, "076", async (older) => {
      await insertMany(older, "channels", [channelRow(1)]);
      const row = (uuid: string, event: string, more: object = {}) => ({
        ...{ uuid, event, organization_id: 1, channel: "channel", channel_id: 1, recipient: "a@b.test" },
        ...{ content: "", message: "{}", thread_id: null, state: "waiting", attempts: 0, created_at: 1 },
        ...{ next_try_at: 1, gives_up_at: 9, ...more },
      });
      const before = [row("news", "incident.opened"), row("told", "incident.opened", { state: "sent" })];
      const after = [row("threaded", "incident.updated", { thread_id: 3 }), row("test", "test")];
      for (const each of [...before, ...after]) await insertMany(older, "outbox", [each]);
    });
    const rows = await db.selectFrom("outbox").select(["uuid", "state"]).orderBy("id").execute();
    const states = { news: "failed", told: "sent", threaded: "waiting", test: "waiting" };
    expect(Object.fromEntries(rows.map(({ uuid, state }) => [uuid, state]))).toEqual(states);
  });

  it("gives open threads the outages that they told of: those of their monitor, and to people those that it led", async () => {
    const { db } = await openMigrated(engine, "077", async (older) => {
      const people = { type: "slack" };
      await insertMany(older, "channels", [channelRow(1, people), channelRow(2, { type: "webhook" })]);
      await insertMany(older, "incidents", [
        { ...incidentRow(1, null), monitor_id: 5 },
        { ...incidentRow(2, null), monitor_id: 5 },
      ]);
      const outage = (incident_id: number, monitor_id: number, start: number, end: number | null = null) => ({
        ...{ organization_id: 1, name: "Shop", search_text: "shop", joined: 0, merged: 0 },
        ...{ incident_id, monitor_id, outage_started_at: start, outage_ended_at: end },
      });
      const [shop, bank, cards, till] = [5, 6, 7, 8] as const;
      const own = [outage(1, shop, 20, 30), outage(1, bank, 21), outage(1, cards, 22), outage(1, till, 23)];
      // The last one is over.
      await insertMany(older, "affected_services", [...own, outage(2, shop, 10, 11)]);
      const threads = [
        // Bank was told in it, Cards joined silently, Till has a thread of its own.
        { ...threadRow(1, shop, { told_at: 25 }), told_outages: "[1,2]" },
        { ...threadRow(1, till), told_outages: "[]" },
        { ...threadRow(2, shop), told_outages: "[]" },
        { ...threadRow(2, bank, { told_at: 26 }), told_outages: "[]" },
        { ...threadRow(1, cards, { closed_at: 12 }), told_outages: "[3]" },
      ];
      for (const thread of threads) await insertMany(older, "channel_threads", [thread]);
    });
    const rows = await db.selectFrom("thread_outages").selectAll().orderBy("id").execute();
    expect(
      rows.map((row) => [row.thread_id, row.monitor_id, row.started_at, row.told_at, row.ended_at]),
    ).toEqual([
      [1, 5, 20, 25, 30],
      [1, 6, 21, 25, null],
      [1, 7, 22, null, null],
      [2, 8, 23, 10, null],
      [3, 5, 20, 10, 30],
      [4, 6, 21, 26, null],
    ]);
  });

  it("has channels hear of devices what they heard before these had names of their own", async () => {
    const { db } = await openMigrated(engine, "085", async (older) => {
      const choosing = (events: string[]) => ({ events: JSON.stringify(events) });
      await insertMany(older, "channels", [
        channelRow(1, choosing([])),
        channelRow(2, choosing(["monitor.down", "monitor.up"])),
        channelRow(3, choosing(["incident.opened", "monitor.degraded"])),
        channelRow(4, choosing(["certificate.expiring"])),
      ]);
    });
    const rows = await db.selectFrom("channels").select("events").orderBy("id").execute();
    expect(rows.map(({ events }) => JSON.parse(events))).toEqual([
      [],
      ["monitor.down", "monitor.up", "device.offline", "device.online"],
      ["incident.opened", "monitor.degraded", "device.health"],
      ["certificate.expiring"],
    ]);
  });

  it("gives titles of devices' incidents that say the same one code", async () => {
    const titles = ["unwell", "critical_back", "unwell_back_over", "critical", "down"];
    const { db } = await openMigrated(engine, "135", async (older) => {
      const rows = titles.map((code, at) => ({
        ...incidentRow(at + 1, null),
        title_fact: JSON.stringify({ code: `incident.${code}`, params: { name: "incident.unwell" } }),
      }));
      await insertMany(older, "incidents", rows);
    });
    const rows = await db.selectFrom("incidents").select("title_fact").orderBy("id").execute();
    const name = "incident.unwell";
    expect(rows.map(({ title_fact: title }) => JSON.parse(title ?? ""))).toEqual([
      { code: "incident.not_healthy", params: { name } },
      { code: "incident.critical", params: { name, offline: 1 } },
      { code: "incident.offline_critical_over", params: { name, offline: 1 } },
      { code: "incident.critical", params: { name } },
      { code: "incident.down", params: { name } },
    ]);
  });
});
