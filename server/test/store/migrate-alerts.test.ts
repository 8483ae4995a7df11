import { expect, it, onTestFinished } from "vitest";
import type { Context } from "../../src/context.ts";
import { deliverOutbox, type Transports } from "../../src/notification/deliver.ts";
import type { Transport } from "../../src/notification/transport.ts";
import { encodeState } from "../../src/status/encode-state.ts";
import { initialState, type MonitorState } from "../../src/status/state.ts";
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

const stateRow = (monitorId: number, { rules, ...more }: { status: string; rules: MonitorState }) => ({
  ...{ monitor_id: monitorId, status_since: 5, flapping: 0, last_outcome: null, rules: encodeState(rules) },
  ...{ last_check_at: null, last_status_code: null, last_total_us: null, last_result: null },
  ...{ consecutive_failures: 0, stale_at: null, maintenance_until: null, ...more },
});

const down = (since: number): MonitorState => ({
  ...{ ...initialState(0), status: "down", since, outage: { startedAt: since, detectedAt: since } },
});
const up: MonitorState = { ...initialState(0), status: "up", since: 40 };

const deliveryRow = (uuid: string, event: string, more: object = {}) => ({
  ...{ uuid, event, organization_id: 1, channel: "channel", channel_id: 1, recipient: "", content: "" },
  ...{
    message: JSON.stringify({ event, type: "info", at: 1, fact: { code: "notice.test" }, monitor: null }),
  },
  ...{
    state: "waiting",
    attempts: 0,
    created_at: 30,
    next_try_at: 30,
    gives_up_at: Number.MAX_SAFE_INTEGER,
    ...more,
  },
});

/** What channels are sent within ten minutes of a start, whatever they are sent: "channel: event names". */
async function sentAfterStart(store: Store): Promise<string[]> {
  const sent: string[] = [];
  let now = 1_000_000;
  const record: Transport = {
    async send(_, { channelId, message }) {
      const { event, monitor, members, isPartial } = JSON.parse(message ?? "{}");
      const about = members?.names.join(" and ") ?? monitor?.name ?? "";
      sent.push(`${channelId}: ${event} ${about}${isPartial ? ", others not" : ""}`.trim());
      return { is: "sent", said: { code: "delivery.sent" } };
    },
  };
  const transports = {
    channel: record,
    person: record,
    mail: record,
    subscriber: record,
  } as unknown as Transports;
  const clock = { now: () => now };
  const ctx = { store, clock, live: { wake: () => {} }, config: { smtp: null, signup: "closed" } };
  for (let minute = 0; minute < 10; minute += 1) {
    await deliverOutbox(ctx as unknown as Context, transports, new AbortController().signal);
    now += 60_000;
  }
  return sent.toSorted();
}

const MONITOR = ["monitor.down", "monitor.up"];
const CERTIFICATE = ["certificate.expiring", "certificate.invalid"];
const INCIDENT = ["incident.opened", "incident.updated", "incident.resolved"];

eachEngine("migrating who is notified of what", (engine) => {
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

  it("leaves reminders of channels as people had set them, in a backup from before, too", async () => {
    const set = [0, 15, 60, 240];
    const before = await filledBefore(engine, "151", async (older) => {
      await insertMany(older, "users", [userRow(1)]);
      const rows = set.map((minutes, at) => ({ ...channelRow(at + 1), reminder_minutes: minutes }));
      const own = { ...channelRow(8, { user_id: 1 }), reminder_minutes: 0 };
      await insertMany(older, "channels", [...rows, own]);
    });
    const [target, file] = [await database(engine), temporaryFile()];
    await backupStore(before, file, { migrations: migrationsBefore("151") });
    await restoreStore(target, file);
    const reminders = (location: StoreLocation) =>
      withStore(location, async ({ db }) => {
        await insertMany(db, "channels", [channelRow(9)]);
        const rows = await db.selectFrom("channels").select("reminder").orderBy("id").execute();
        return rows.map(({ reminder }) => reminder);
      });
    // The last two are a person's own, which nobody could set, and a new one.
    const kept = ["never", "15m", "1h", "4h", "critical", "critical"];
    expect(await reminders(before)).toEqual(kept);
    expect(await reminders(target)).toEqual(kept);
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

  it("notifies nobody anew of what their threads had told, and everybody of what they had not", async () => {
    const NAMES = { 5: "Shop", 6: "Bank", 7: "Cards", 8: "Till", 9: "Host" };
    const store = await openMigrated(engine, "150", async (older) => {
      await insertMany(older, "channels", [
        channelRow(1, { type: "slack", confirmed_at: 7 }),
        channelRow(2, { type: "webhook", confirmed_at: 7 }),
      ]);
      const ids = Object.keys(NAMES).map(Number);
      const names = Object.entries(NAMES).map(([id, name]) =>
        monitorRow(Number(id), { name, search_text: name }),
      );
      await insertMany(older, "monitors", names);
      const states = ids.map((id) =>
        id === 8
          ? stateRow(id, { status: "up", rules: up })
          : stateRow(id, { status: "down", rules: down(20) }),
      );
      await insertMany(older, "monitor_states", states);
      await insertMany(older, "incidents", [
        { ...incidentRow(1, null), monitor_id: 5 },
        { ...incidentRow(2, null), monitor_id: 7 },
        { ...incidentRow(3, null), monitor_id: 9 },
      ]);
      const outage = (incident_id: number, monitor_id: number) => ({
        ...{ organization_id: 1, name: "Shop", search_text: "shop", joined: 0, merged: 0 },
        ...{ incident_id, monitor_id, outage_started_at: 20, outage_ended_at: null },
      });
      await insertMany(older, "affected_services", [outage(1, 5), outage(1, 6), outage(2, 7), outage(3, 9)]);
      const told = { told_at: 25 };
      const threads = [
        ...[threadRow(1, 5, told), threadRow(1, 7), threadRow(1, 8, told), threadRow(1, 9, told)],
        ...[threadRow(2, 5, told), threadRow(2, 6), threadRow(2, 8, { ...told, closed_at: 41 })],
        threadRow(2, 9, told),
      ];
      for (const thread of threads) await insertMany(older, "channel_threads" as never, [thread as never]);
      const own = (thread_id: number, monitor_id: number, more: object = {}) => ({
        ...{ organization_id: 1, thread_id, monitor_id, started_at: 20, told_at: 21, ended_at: null },
        ...{ end_told_at: null, ...more },
      });
      const over = { ended_at: 40, end_told_at: 41 };
      const outages = [
        // Bank joined what people had been told of, silently.
        ...[own(1, 5), own(1, 6, { told_at: null }), own(2, 7), own(3, 8, over), own(4, 9)],
        ...[own(5, 5), own(6, 6), own(7, 8, over), own(8, 9)],
      ];
      for (const each of outages) await insertMany(older, "thread_outages" as never, [each as never]);
      const waiting = [
        deliveryRow("cards", "monitor.down", { thread_id: 2 }),
        deliveryRow("till", "monitor.up", { thread_id: 3, created_at: 41 }),
        deliveryRow("bank", "monitor.down", { thread_id: 6, channel_id: 2, created_at: 21 }),
        deliveryRow("till of program", "monitor.up", { thread_id: 7, channel_id: 2, created_at: 41 }),
        deliveryRow("written", "incident.updated", { thread_id: 1, created_at: 42 }),
      ];
      for (const each of waiting) await insertMany(older, "outbox", [each as never]);
    });
    expect(await sentAfterStart(store)).toEqual(
      [
        ...["1: incident.updated", "1: monitor.down Bank", "1: monitor.down Cards", "1: monitor.up Till"],
        ...["2: monitor.down Bank", "2: monitor.down Cards", "2: monitor.up Till"],
      ].toSorted(),
    );
    expect(await sentAfterStart(store)).toEqual([]);
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
