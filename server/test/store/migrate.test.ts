import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { expect, it, onTestFinished } from "vitest";
import { insertMany } from "../../src/store/bulk.ts";
import { appliedMigrations } from "../../src/store/migrate.ts";
import { MIGRATIONS } from "../../src/store/migrations/all.ts";
import { openStore, type StoreLocation } from "../../src/store/open.ts";
import { listStatusActivity } from "../../src/store/queries/activity.ts";
import { listIncidents } from "../../src/store/queries/incidents.ts";
import { insertResults, listResults } from "../../src/store/queries/results.ts";
import { searchFor, searchIncidents } from "../../src/store/queries/search.ts";
import { inEnglish } from "../../src/texts/english.ts";
import { parseFact } from "../../src/texts/fact.ts";
import { projectIncident } from "../../src/wire/incidents.ts";
import { emptyDatabase, migrationsBefore } from "../harness/databases.ts";
import { makeResult } from "../harness/results.ts";
import { monitorRow, organizationRow } from "../harness/rows.ts";
import { eachEngine } from "../harness/stores.ts";

/** A row of `monitors` from before 017. */
function olderMonitorRow(id: number, more: object = {}): object {
  const { target, display_target, ...row } = monitorRow(id, more);
  return { ...row, url: target, display_url: display_target };
}

const OPEN = join(import.meta.dirname, "../../src/store/open.ts");

/** A process of its own that opens the store, says how many migrations it finds, and ends. */
function openInProcess(location: StoreLocation): Promise<string> {
  const program = `
    const { openStore } = await import(${JSON.stringify(OPEN)});
    const store = await openStore(${JSON.stringify(location)});
    const rows = await store.db.selectFrom("migrations").selectAll().execute();
    console.log(rows.length);
    await store.close();`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program]);
  return new Promise((resolve) => {
    let said = "";
    child.stdout.on("data", (chunk) => (said += chunk));
    child.stderr.on("data", (chunk) => (said += chunk));
    child.once("close", () => resolve(said.trim()));
  });
}

eachEngine("migrating", (engine) => {
  it("counts the channels that are there as confirmed", async () => {
    const location = await emptyDatabase(engine);
    const older = await openStore(location, { migrations: migrationsBefore("047") });
    await insertMany(older.db, "organizations", [organizationRow(1)]);
    const lists = { events: "[]", severities: "[]", tags: "[]", config: "{}" };
    const texts = {
      uuid: "c",
      name: "Mail",
      type: "email",
      target: "a@b.test",
      language: "en",
      time_zone: "UTC",
    };
    const channel = {
      id: 1,
      organization_id: 1,
      enabled: 1,
      created_at: 7,
      updated_at: 8,
      ...lists,
      ...texts,
    };
    await insertMany(older.db, "channels", [channel]);
    await older.close();
    const store = await openStore(location);
    const rows = await store.db.selectFrom("channels").select("confirmed_at").execute();
    await store.close();
    expect(rows).toEqual([{ confirmed_at: 7 }]);
  });

  it("makes browsers channels of their people, by which what waits for them goes", async () => {
    const location = await emptyDatabase(engine);
    const older = await openStore(location, { migrations: migrationsBefore("048") });
    await insertMany(older.db, "organizations", [organizationRow(1)]);
    const user = {
      uuid: "u",
      email: "a@b.test",
      name: "Ada",
      password_hash: "",
      created_at: 1,
      updated_at: 1,
    };
    await insertMany(older.db, "users", [{ id: 3, ...user, language: "de" }]);
    await insertMany(older.db, "memberships", [
      { organization_id: 1, user_id: 3, role: "member", created_at: 1 },
    ]);
    const browser = {
      uuid: "browser",
      endpoint_hash: "h",
      address: "sealed",
      user_agent: "",
      language: "en",
    };
    await insertMany(older.db, "push_subscriptions", [{ id: 5, user_id: 3, created_at: 1, ...browser }]);
    const message = {
      channel: "push",
      recipient: "browser",
      content: "",
      message: "{}",
      event: "certificate.expiring",
    };
    const times = { attempts: 0, next_try_at: 1, gives_up_at: 9, created_at: 1 };
    const waiting = { organization_id: 1, state: "waiting", ...message, ...times };
    await insertMany(older.db, "outbox", [
      { uuid: "known", ...waiting },
      { uuid: "gone", ...waiting, recipient: "another" },
    ]);
    await older.close();
    const store = await openStore(location);
    const channels = await store.db.selectFrom("channels").selectAll().execute();
    const outbox = await store.db.selectFrom("outbox").select(["uuid", "channel", "channel_id"]).execute();
    await store.close();
    expect(channels).toMatchObject([
      { type: "push", user_id: 3, push_subscription_id: 5, secrets: "sealed", language: "de", enabled: 1 },
    ]);
    expect(outbox).toEqual([{ uuid: "known", channel: "person", channel_id: channels[0]?.id }]);
  });

  it("lets people's own mails wait unless their address is known to be theirs", async () => {
    const location = await emptyDatabase(engine);
    const older = await openStore(location, { migrations: migrationsBefore("049") });
    await insertMany(older.db, "organizations", [organizationRow(1)]);
    const texts = { events: "[]", severities: "[]", tags: "[]", config: "{}", target: "", time_zone: "UTC" };
    const own = (user_id: number, type: string) => ({
      ...{ uuid: `${user_id} ${type}`, name: "Ada", language: "en", organization_id: 1, user_id, type },
      ...{ ...texts, enabled: 1, confirmed_at: 7, created_at: 7, updated_at: 7 },
    });
    const people = [null, 7].map((email_confirmed_at, index) => ({
      ...{ id: index + 1, uuid: `u${index}`, email: `u${index}@b.test`, name: "Ada", password_hash: "" },
      ...{ email_confirmed_at, created_at: 7, updated_at: 7 },
    }));
    await insertMany(older.db, "users", people);
    await insertMany(older.db, "channels", [own(1, "email"), own(1, "slack"), own(2, "email")]);
    await older.close();
    const store = await openStore(location);
    const query = store.db.selectFrom("channels").select(["uuid", "confirmed_at"]).orderBy("id");
    const rows = await query.execute();
    await store.close();
    expect(rows.map((row) => [row.uuid, row.confirmed_at])).toEqual([
      ["1 email", null],
      ["1 slack", 7],
      ["2 email", 7],
    ]);
  });

  it("brings an empty database up to date, and does nothing the second time", async () => {
    const location = await emptyDatabase(engine);
    for (let time = 0; time < 2; time += 1) {
      const store = await openStore(location);
      expect(await appliedMigrations(store.db)).toEqual(Object.keys(MIGRATIONS));
      expect(await store.db.selectFrom("monitors").selectAll().execute()).toEqual([]);
      await store.close();
    }
  });

  it("is done once when several processes start on an empty database together", async () => {
    const location = await emptyDatabase(engine);
    const said = await Promise.all(Array.from({ length: 4 }, () => openInProcess(location)));
    expect(said).toEqual(Array(4).fill(String(Object.keys(MIGRATIONS).length)));
  });

  it("gives what happened before it to the organization it happened in, and keeps targets", async () => {
    const location = await emptyDatabase(engine);
    const { "001-foundation": first, "002-accounts": second } = MIGRATIONS;
    const older = await openStore(location, {
      migrations: { "001-foundation": first, "002-accounts": second } as typeof MIGRATIONS,
    });
    await insertMany(older.db, "organizations", [organizationRow(1), organizationRow(2)]);
    await insertMany(older.db, "monitors", [olderMonitorRow(7, { organization_id: 2 })]);
    const change = { monitor_id: 7, from_status: "up", to_status: "down", at: 1, detected_at: 1 };
    await insertMany(older.db, "transitions", [{ ...change, maintenance: 0 }]);
    await older.close();
    const store = await openStore(location);
    expect(await listStatusActivity(store.db, 2, 10)).toMatchObject([{ monitorId: 7, toStatus: "down" }]);
    const kept = await store.db.selectFrom("monitors").select(["target", "display_target"]).execute();
    const { target, display_target } = monitorRow(7);
    expect(kept).toEqual([{ target, display_target }]);
    await store.close();
  });

  it("keeps the results of before there was a transfer, beside those with one", async () => {
    const location = await emptyDatabase(engine);
    const { "009-transfer": _, ...before } = MIGRATIONS;
    const older = await openStore(location, { migrations: before });
    const { transferUs: __, ...known } = makeResult();
    await insertMany(older.db, "results", [
      {
        monitor_id: 1,
        location_id: 1,
        scheduled_at: known.scheduledAt,
        outcome: 0,
        status_code: 200,
        dns_us: known.dnsUs,
        connect_us: known.connectUs,
        first_byte_us: known.firstByteUs,
        total_us: known.totalUs,
        maintenance: 0,
      },
    ]);
    await older.close();
    const store = await openStore(location);
    const later = makeResult({ scheduledAt: known.scheduledAt + 1, transferUs: 900 });
    await insertResults(store.db, [later]);
    const range = { monitorId: 1, from: 0, to: known.scheduledAt + 2, limit: 9 };
    expect(await listResults(store.db, range)).toEqual([later, { ...known, transferUs: null }]);
    await store.close();
  });

  it("lets incidents of before there was a search be found by their titles", async () => {
    const location = await emptyDatabase(engine);
    const older = await openStore(location, { migrations: migrationsBefore("019") });
    await insertMany(older.db, "organizations", [organizationRow(1)]);
    const titles = ["ÄRZTE-Portal is down", 'Shop "north", [1]\\ 漢字', ""];
    const incident = (title: string, at: number) => ({
      ...{ id: at + 1, uuid: `incident-${at}`, organization_id: 1, monitor_id: null, automatic: 0, title },
      ...{
        description: "",
        status: "open",
        severity: "high",
        impact: "major",
        started_at: 0,
        detected_at: 0,
      },
      ...{ resolved_at: null, created_at: 0, updated_at: 0 },
    });
    await insertMany(older.db, "incidents", titles.map(incident));
    await older.close();
    const store = await openStore(location);
    for (const [text, title] of [
      ["ärzte", titles[0]],
      ['"NORTH", [1]\\ 漢', titles[1]],
    ] as const) {
      const found = await searchIncidents(store.db, searchFor(text, { organizationId: 1, ref: null }), 5);
      expect(found.map((one) => one.title)).toEqual([title]);
    }
    await store.close();
  });

  it("keeps the names of what incidents affected, and refers to the monitor of those opened by an outage", async () => {
    const location = await emptyDatabase(engine);
    const older = await openStore(location, { migrations: migrationsBefore("014") });
    await insertMany(older.db, "organizations", [organizationRow(1), organizationRow(2)]);
    await insertMany(older.db, "monitors", [
      olderMonitorRow(7, { name: "Renamed since", organization_id: 2 }),
    ]);
    const incident = (id: number, names: string[], more: object = {}) => ({
      id,
      uuid: `incident-${id}`,
      organization_id: 2,
      monitor_id: null,
      automatic: 0,
      title: "T",
      description: "",
      status: "resolved",
      severity: "high",
      impact: "major",
      affected_services: JSON.stringify(names),
      started_at: 0,
      detected_at: 0,
      resolved_at: 0,
      created_at: 0,
      updated_at: 0,
      ...more,
    });
    const ofMonitor = (monitorId: number) => ({ monitor_id: monitorId, automatic: 1 });
    const awkward = 'Shop "north", [1]\\ 漢字';
    await insertMany(older.db, "incidents", [
      incident(1, [awkward], ofMonitor(7)),
      incident(2, ["Payments", "Shop", "Payments"]),
      incident(3, []),
      // Its monitor is gone.
      incident(4, ["Blog"], ofMonitor(6)),
      incident(5, ["Elsewhere"], { organization_id: 1 }),
    ]);
    // More than are carried over at once.
    const many = Array.from({ length: 1_200 }, (_, i) => incident(100 + i, [`Old ${i}`], ofMonitor(7)));
    await insertMany(older.db, "incidents", many);
    await older.close();

    const store = await openStore(location);
    const known = await listIncidents(store.db, { organizationId: 2 }, { limit: 2_000, offset: 0 });
    const services = new Map(known.map(({ id, affectedServices }) => [id, affectedServices]));
    expect([1, 2, 3, 4].map((id) => services.get(id))).toMatchObject([
      [{ monitorId: 7, name: awkward }],
      ["Payments", "Shop", "Payments"].map((name) => ({ monitorId: null, name })),
      [],
      [{ monitorId: 6, name: "Blog" }],
    ]);
    expect(services.get(1_299)).toMatchObject([{ monitorId: 7, name: "Old 1199" }]);
    expect(known.map((each) => projectIncident(each).affectedServices)).toEqual([
      ...many.map((each) => JSON.parse(each.affected_services)).reverse(),
      ...[["Blog"], [], ["Payments", "Shop", "Payments"], [awkward]],
    ]);
    const [elsewhere] = await listIncidents(store.db, { organizationId: 1 }, { limit: 9, offset: 0 });
    expect(elsewhere?.affectedServices).toMatchObject([{ monitorId: null, name: "Elsewhere" }]);
    await store.close();
  });

  it("turns the sentences that were kept into facts, and loses none", async () => {
    const location = await emptyDatabase(engine);
    const older = await openStore(location, { migrations: migrationsBefore("015") });
    await insertMany(older.db, "organizations", [organizationRow(1)]);
    await insertMany(older.db, "monitors", [olderMonitorRow(7)]);
    const awkward = `"[::1]:443" said \\ 漢字 {"code":"x"}`;
    const change = (id: number, reason: string | null) => ({
      id,
      organization_id: 1,
      monitor_id: 7,
      from_status: "up",
      to_status: "down",
      at: id,
      detected_at: id,
      reason,
      location_id: null,
      maintenance: 0,
    });
    const sentences = [null, awkward, "paused", "deleted", "Maintenance began.", "Maintenance ended."];
    const silent = "No result came in for two intervals.";
    await insertMany(
      older.db,
      "transitions",
      [...sentences, silent].map((reason, index) => change(index + 1, reason)),
    );
    const passed = { monitor_id: 7, location_id: 1, scheduled_at: 1, outcome: 0, maintenance: 0 };
    await insertMany(older.db, "results", [
      { ...passed, reason_code: null, reason: null },
      { ...passed, scheduled_at: 2, outcome: 1, reason_code: "timeout", reason: awkward },
    ]);
    await older.close();

    const store = await openStore(location);
    const [none, said, ...others] = (
      await store.db.selectFrom("transitions").select("reason").orderBy("id").execute()
    ).map(({ reason }) => parseFact(reason));
    expect([none, said]).toEqual([null, { code: "text", params: { text: awkward } }]);
    expect(others.map((fact) => fact && inEnglish(fact))).toEqual([...sentences.slice(2), silent]);
    expect(others[0]).toEqual({ code: "watch.paused" });
    const range = { monitorId: 7, from: 0, to: 9, limit: 9, order: "asc" } as const;
    expect((await listResults(store.db, range)).map(({ reason, message }) => [reason, message])).toEqual([
      [null, null],
      [{ code: "timeout.text", params: { text: awkward } }, null],
    ]);
    await store.close();
  });

  it("knows which titles of outages are its own, whichever version wrote them", async () => {
    const location = await emptyDatabase(engine);
    const older = await openStore(location, { migrations: migrationsBefore("061") });
    await insertMany(older.db, "organizations", [organizationRow(1)]);
    await insertMany(older.db, "monitors", [monitorRow(7)]);
    const params = { name: "Shop", since: "2026-11-21T09:30:00.000Z" };
    const alone = JSON.stringify({ code: "incident.outage", params });
    const several = JSON.stringify({ code: "incident.outages", params: { ...params, others: 3 } });
    const down = { code: "incident.down", params: { name: "Shop" } };
    const downWith = (others: number) => ({
      code: "incident.down_several",
      params: { name: "Shop", others },
    });
    const told = [
      ["Shop is down", alone, 1, down],
      ["Shop and 3 others are down", several, 1, downWith(3)],
      // A person has changed the description.
      ["Shop is down", null, 1, down],
      ["Shop and 1 other monitor are down", null, 1, downWith(1)],
      ["Shop and 20 others are down", null, 1, downWith(20)],
      ["Shop and 2 more are down", null, 1, downWith(2)],
      // A person called it that, or opened it.
      ["Bank is down", null, 1, null],
      ["Shop and all others are down", null, 1, null],
      ["Shop is down", null, 0, null],
      // More than are carried over at once.
      ...Array.from({ length: 1_200 }, () => ["Shop is down", alone, 1, down] as const),
    ] as const;
    const base = { organization_id: 1, monitor_id: null, description: "", status: "open" };
    const times = { started_at: 0, detected_at: 0, resolved_at: null, created_at: 0, updated_at: 0 };
    await insertMany(
      older.db,
      "incidents",
      told.map(([title, fact, automatic], at) => ({
        ...{ id: at + 1, uuid: `incident-${at}`, title, fact, automatic, severity: "high", impact: "major" },
        ...{ ...base, ...times },
      })),
    );
    const names = (id: number) =>
      ["Mail", "Shop"].map((name) => ({
        ...{ organization_id: 1, incident_id: id, monitor_id: 7, name, search_text: name.toLowerCase() },
      }));
    await insertMany(
      older.db,
      "affected_services",
      told.flatMap((_, at) => names(at + 1)),
    );
    await older.close();

    const store = await openStore(location);
    const rows = await store.db.selectFrom("incidents").select("title_fact").orderBy("id").execute();
    expect(rows.map((row) => parseFact(row.title_fact))).toEqual(told.map(([, , , fact]) => fact));
    await store.close();
  });

  it("lets a search find outages by what their readers see, in each language", async () => {
    const location = await emptyDatabase(engine);
    const older = await openStore(location, { migrations: migrationsBefore("064") });
    await insertMany(older.db, "organizations", [organizationRow(1)]);
    const down = JSON.stringify({ code: "incident.down", params: { name: "Shop" } });
    const texts = { title: "Shop is down", search_text: "shop is down", description: "", fact: null };
    const times = { started_at: 0, detected_at: 0, resolved_at: null, created_at: 0, updated_at: 0 };
    const states = { status: "open", severity: "high", impact: "major", automatic: 1 };
    // More than are carried over at once; of the first one a person has written the title.
    await insertMany(
      older.db,
      "incidents",
      Array.from({ length: 1_001 }, (_, at) => ({
        ...{ id: at + 1, uuid: `incident-${at}`, organization_id: 1, monitor_id: null },
        ...{ ...texts, ...times, ...states, title_fact: at === 0 ? null : down },
      })),
    );
    await older.close();
    const store = await openStore(location);
    const rows = await store.db.selectFrom("incidents").select("search_text").orderBy("id").execute();
    const [written, ...own] = rows.map((row) => row.search_text);
    expect(written).toBe("shop is down");
    const shown = ["shop is down", "shop ist ausgefallen", "shop 发生故障"];
    const over = ["shop was down", "shop war ausgefallen", "shop 曾发生故障"];
    expect(new Set(own)).toEqual(new Set([[...shown, ...over].join("\n")]));
    await store.close();
  });

  it("finds what people had merged into an incident by the cause that it has not in common with the rest", async () => {
    const location = await emptyDatabase(engine);
    const older = await openStore(location, { migrations: migrationsBefore("065") });
    await insertMany(older.db, "organizations", [organizationRow(1)]);
    const texts = { title: "Shop is down", search_text: "shop is down", description: "", fact: null };
    const times = { started_at: 0, detected_at: 0, resolved_at: null, created_at: 0, updated_at: 0 };
    const states = { status: "open", severity: "high", impact: "major", automatic: 1 };
    const host = (value: string) => ({ kind: "host", value });
    const incident = (id: number, more: { merged_into?: number; grouped_by?: string }) => ({
      ...{ id, uuid: `incident-${id}`, organization_id: 1, monitor_id: id * 10 },
      ...{ ...texts, ...times, ...states, merged_into: null, grouped_by: null, ...more },
    });
    const by = JSON.stringify(host("one.example"));
    await insertMany(older.db, "incidents", [
      incident(1, { grouped_by: by }),
      incident(2, { merged_into: 1 }),
      incident(3, {}),
      incident(4, { merged_into: 3 }),
      // Nothing was merged into this one.
      incident(5, { grouped_by: by }),
    ]);
    const outage = (incidentId: number, monitorId: number, at: string) => ({
      ...{ organization_id: 1, incident_id: incidentId, monitor_id: monitorId, name: "Shop" },
      ...{ search_text: "shop", outage_started_at: 0, outage_ended_at: null, joined: 0 },
      causes: JSON.stringify([host(at), { kind: "address", value: "192.0.2.1" }]),
    });
    await insertMany(older.db, "affected_services", [
      outage(1, 10, "one.example"),
      outage(1, 11, "one.example"),
      outage(1, 20, "two.example"),
      outage(3, 30, "one.example"),
      outage(3, 40, "one.example"),
      outage(5, 50, "one.example"),
      outage(5, 51, "two.example"),
    ]);
    await older.close();
    const store = await openStore(location);
    const rows = store.db.selectFrom("affected_services").select("monitor_id").where("merged", "=", 1);
    expect((await rows.orderBy("id").execute()).map((row) => row.monitor_id)).toEqual([20, 40]);
    await store.close();
  });

  it("lets a search find the tags that monitors had before it", async () => {
    const location = await emptyDatabase(engine);
    const older = await openStore(location, { migrations: migrationsBefore("026") });
    await insertMany(older.db, "organizations", [organizationRow(1)]);
    const tagged = Array.from({ length: 501 }, (_, at) =>
      monitorRow(at + 1, {
        name: `m${at}`,
        search_text: "shop",
        tags: at % 2 === 0 ? '["Ökostrom","EU"]' : "[]",
      }),
    );
    await insertMany(older.db, "monitors", tagged);
    await older.close();
    const store = await openStore(location);
    const found = await store.db.selectFrom("monitors").select("search_text").orderBy("id").execute();
    expect(found.map(({ search_text: text }) => text)).toEqual(
      tagged.map((_, at) => (at % 2 === 0 ? "shop\nökostrom\neu" : "shop")),
    );
    await store.close();
  });

  it("is refused with one sentence when a newer version has migrated the database", async () => {
    const location = await emptyDatabase(engine);
    const newer = { ...MIGRATIONS, "900-later": { up: async () => {} } };
    await (await openStore(location, { migrations: newer })).close();
    await expect(openStore(location)).rejects.toThrow(
      "The data was written by a newer version of Vedette: it has the migration 900-later, which this version does not know. Use that version or a newer one.",
    );
    await (await openStore(location, { migrations: newer })).close();
  });

  it("undoes everything when a migration fails in the middle", async () => {
    const location = await emptyDatabase(engine);
    const failing = {
      ...MIGRATIONS,
      "900-half": {
        up: async (db: { [K in never]: never }) => {
          await sql`create table half (id integer)`.execute(db as never);
          throw new Error("The second half is missing.");
        },
      },
    };
    await expect(openStore(location, { migrations: failing })).rejects.toThrow("The second half is missing.");
    const store = await openStore(location, { migrations: {} });
    expect(await appliedMigrations(store.db)).toEqual([]);
    await expect(sql`select * from half`.execute(store.db)).rejects.toThrow(/half/);
    await store.close();
  });

  it("leaves another program's database alone", async () => {
    const location = await emptyDatabase(engine);
    const store = await openStore(location, { migrations: {} });
    await sql`drop table migrations`.execute(store.db);
    await sql`create table users (login text)`.execute(store.db);
    await store.close();
    await expect(openStore(location)).rejects.toThrow(/tables of another program \(users\)/);
  });
});

it("a file that is no database is refused by its name", async () => {
  const folder = mkdtempSync(join(tmpdir(), "vedette-store-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "vedette.db");
  writeFileSync(file, "These are my notes, not a database. ".repeat(50));
  await expect(openStore({ file })).rejects.toThrow(`${file} is not a SQLite database.`);
  await expect(openStore({ file: join(folder, "none", "vedette.db") })).rejects.toThrow(
    /vedette\.db cannot be opened/,
  );
});

it("a PostgreSQL that is not there is named without its password", async () => {
  const opening = openStore({ url: "postgres://vedette:secret@127.0.0.1:1/vedette" });
  await expect(opening).rejects.toThrow(/^PostgreSQL at 127\.0\.0\.1:1 cannot be used: connect ECONNREFUSED/);
  await opening.catch((error: Error) => expect(error.message).not.toContain("secret"));
});
