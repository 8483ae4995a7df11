import { expect, it, onTestFinished } from "vitest";
import { insertMany } from "../../../src/platform/database/bulk.ts";
import type { Db } from "../../../src/platform/database/schema.ts";
import { monitorRow, organizationRow } from "../../harness/rows.ts";
import { eachEngine, openTestStore } from "../../harness/stores.ts";
import { breaksUnique } from "./unique.ts";

const incident = (id: number, more: object = {}) => ({
  id,
  uuid: `i${id}`,
  organization_id: 1,
  monitor_id: 1,
  automatic: 1,
  title: "Down",
  description: "",
  status: "open",
  severity: "high",
  impact: "major",
  started_at: 0,
  detected_at: 0,
  resolved_at: null,
  created_at: 0,
  updated_at: 0,
  ...more,
});

const channel = {
  uuid: "c",
  organization_id: 1,
  name: "Chat",
  type: "slack",
  config: "{}",
  target: "chat.test",
  events: "[]",
  severities: "[]",
  tags: "[]",
  language: "en",
  time_zone: "UTC",
  enabled: 1,
  created_at: 0,
  updated_at: 0,
};

eachEngine("the schema", (engine) => {
  async function open(): Promise<Db> {
    const store = await openTestStore(engine);
    onTestFinished(() => store.close());
    await insertMany(store.db, "organizations", [organizationRow(1), organizationRow(2)]);
    return store.db;
  }
  const broken = (promise: Promise<unknown>) =>
    promise.then(
      () => null,
      (error: unknown) => error,
    );

  it("lets an organization monitor a target under several names, and a name's target once for each kind, until it is deleted", async () => {
    const db = await open();
    await insertMany(db, "monitors", [
      monitorRow(1),
      monitorRow(2, { name: "Shop by night" }),
      monitorRow(3, { organization_id: 2 }),
      monitorRow(4, { kind: "service" }),
    ]);
    expect(
      breaksUnique(await broken(insertMany(db, "monitors", [monitorRow(5)])), "monitors_target_name"),
    ).toBe(true);
    await db.updateTable("monitors").set({ deleted_at: 1 }).where("id", "=", 1).execute();
    await insertMany(db, "monitors", [monitorRow(5)]);
  });

  it("lets a monitor have one open outage, whatever else people say that incidents affect", async () => {
    const db = await open();
    await insertMany(db, "incidents", [incident(1), incident(2)]);
    const affected = (id: number, more: object = {}) => ({
      ...{ id, organization_id: 1, incident_id: 1, monitor_id: 1, name: "Shop" },
      ...{ outage_started_at: null, outage_ended_at: null, ...more },
    });
    await insertMany(db, "affected_services", [
      affected(1, { outage_started_at: 5 }),
      affected(2),
      affected(3, { incident_id: 2 }),
      affected(4, { incident_id: 2, outage_started_at: 1, outage_ended_at: 2 }),
      affected(5, { monitor_id: 2, outage_started_at: 5 }),
    ]);
    const another = affected(9, { incident_id: 2, outage_started_at: 6 });
    const twice = await broken(insertMany(db, "affected_services", [another]));
    expect(breaksUnique(twice, "affected_services_one_open")).toBe(true);
    await db.updateTable("affected_services").set({ outage_ended_at: 6 }).where("id", "=", 1).execute();
    await insertMany(db, "affected_services", [another]);
  });

  it("reports one cause once, whoever tries again", async () => {
    const db = await open();
    const reported = (id: number) => ({
      id,
      uuid: `n${id}`,
      organization_id: 1,
      event: "monitor.down",
      type: "error",
      message: "Shop is down",
      idempotency_key: "monitor.down:1:1",
      created_at: 0,
    });
    await insertMany(db, "notifications", [reported(1)]);
    await insertMany(db, "notifications", [reported(2)], "nothing");
    expect(await db.selectFrom("notifications").select("id").execute()).toEqual([{ id: 1 }]);
    const again = await broken(insertMany(db, "notifications", [reported(3)]));
    expect(breaksUnique(again, "notifications_idempotency_key_key")).toBe(true);
  });

  it("removes with an organization what belongs to it, and with a monitor its state", async () => {
    const db = await open();
    await insertMany(db, "monitors", [monitorRow(1), monitorRow(2, { organization_id: 2 })]);
    const state = (id: number) => ({
      monitor_id: id,
      status: "up",
      status_since: 0,
      rules: "{}",
      flapping: 0,
      consecutive_failures: 0,
    });
    await insertMany(db, "monitor_states", [state(1), state(2)]);
    await insertMany(db, "incidents", [incident(1)]);
    await db.deleteFrom("organizations").where("id", "=", 1).execute();
    expect(await db.selectFrom("monitors").select("id").execute()).toEqual([{ id: 2 }]);
    expect(await db.selectFrom("monitor_states").select("monitor_id").execute()).toEqual([{ monitor_id: 2 }]);
    expect(await db.selectFrom("incidents").select("id").execute()).toEqual([]);
  });

  it("gives a row what is usual where nothing is said of it", async () => {
    const db = await open();
    await insertMany(db, "monitors", [monitorRow(1)]);
    const user = {
      uuid: "u",
      email: "a@b.test",
      name: "Ada",
      password_hash: "",
      created_at: 0,
      updated_at: 0,
    };
    await insertMany(db, "users", [user]);
    await insertMany(db, "channels", [channel]);
    expect(await db.selectFrom("monitors").selectAll().execute()).toMatchObject([
      { description: "", recheck_delay_seconds: 2, objective: 0, objective_days: 30, suspended: 0 },
    ]);
    expect(await db.selectFrom("users").selectAll().execute()).toMatchObject([
      { totp_last_step: 0, totp_secret: null, seen_language: null, email_confirmed_at: null },
    ]);
    expect(await db.selectFrom("channels").selectAll().execute()).toMatchObject([
      { reminder: "critical", confirmed_as_member: 0, user_id: null, refused_since: null },
    ]);
  });

  it("refuses a row that lacks what nothing is usual of, such as its organization", async () => {
    const db = await open();
    const { organization_id: _, ...withoutOrganization } = monitorRow(1);
    expect(String(await broken(insertMany(db, "monitors", [withoutOrganization])))).toMatch(/not.null/i);
    const change = {
      monitor_id: 1,
      from_status: "up",
      to_status: "down",
      at: 1,
      detected_at: 1,
      maintenance: 0,
    };
    expect(String(await broken(insertMany(db, "transitions", [change])))).toMatch(/not.null/i);
  });

  it("refuses rows that belong to no organization", async () => {
    const db = await open();
    expect(String(await broken(insertMany(db, "monitors", [monitorRow(1, { organization_id: 9 })])))).toMatch(
      /foreign key/i,
    );
  });
});
