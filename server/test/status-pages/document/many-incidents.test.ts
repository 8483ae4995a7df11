import { expect, test } from "vitest";
import { insertMany } from "../../../src/platform/database/bulk.ts";
import { eachEngine } from "../../harness/stores.ts";
import { PAGES, publicOf } from "../factories.ts";
import { HOUR, MINUTE, type Subscribing, startSubscribing, subscribed } from "../subscriber/subscribing.ts";

const ADA = "ada@example.com";
const MANY = 301;

/** So many more incidents of the first domain, each with an update unless they are automatic. */
async function addIncidents({ server, domains, now }: Subscribing, more: object) {
  const { db } = server.ctx.store;
  const { id: organization_id } = server.person.organization;
  const { userId: user_id } = server.person;
  const own = { automatic: 0, status: "open", resolved_at: null, ...more };
  const times = { started_at: now(), detected_at: now(), created_at: now(), updated_at: now() };
  const uuids = Array.from({ length: MANY }, () => crypto.randomUUID());
  await insertMany(
    db,
    "incidents",
    uuids.map((uuid) => ({
      ...{ uuid, organization_id, title: `Other ${uuid}`, severity: "high", impact: "minor" },
      ...{ description: "", search_text: "", ...times, ...own },
    })),
  );
  const rows = await db.selectFrom("incidents").select("id").where("uuid", "in", uuids).execute();
  const affected = { organization_id, monitor_id: domains[0]?.id as number, name: "one", search_text: "one" };
  await insertMany(
    db,
    "affected_services",
    rows.map(({ id: incident_id }) => ({ ...affected, incident_id })),
  );
  if (own.automatic === 1) return;
  const update = { organization_id, user_id, status: own.status, message: "Said.", at: now() };
  await insertMany(
    db,
    "incident_updates",
    rows.map(({ id: incident_id }) => ({ ...update, incident_id })),
  );
}

const subjects = ({ mail }: Subscribing) => mail.mails.splice(0).map(({ headers }) => headers["subject"]);

eachEngine("an open incident with 301 newer ones", (engine) => {
  test("is on the page where those are over, or not published there", async () => {
    const all = await startSubscribing({ engine });
    const { server, page, report, pass, now, notify } = all;
    await subscribed(all, ADA);
    await report("Payments fail");
    await notify();
    await server.api("PUT", `${PAGES}/${page.id}`, { showAutomatic: false });
    pass(HOUR);
    await addIncidents(all, { status: "resolved", resolved_at: now() });
    await addIncidents(all, { automatic: 1 });
    const { incidents, history } = await publicOf(server, page.slug);
    expect(incidents.map(({ title }: { title: string }) => title)).toEqual(["Payments fail"]);
    expect(history).toHaveLength(299);
  });

  test("is not taken back where those are open as well, and reported until it is over", async () => {
    const all = await startSubscribing({ engine });
    const { server, page, report, post, pass, notify } = all;
    await subscribed(all, ADA);
    const incident = await report("Payments fail");
    await notify();
    expect(subjects(all)).toEqual(["Example: Payments fail"]);
    await addIncidents(all, { started_at: 0, created_at: 0 });
    await all.server.ctx.store.db
      .updateTable("incident_updates")
      .set({ at: 0 })
      .where("incident_id", "!=", incident.id)
      .execute();
    expect((await publicOf(server, page.slug)).incidents).toHaveLength(300);
    pass(MINUTE);
    await post(incident, "We are on it.");
    await notify();
    for (const minutes of [1, 5, 10, 30]) {
      pass(minutes * MINUTE);
      await notify();
    }
    expect(subjects(all)).toEqual(["Example: Update: Payments fail"]);
    await server.api("DELETE", `/api/incidents/${incident.id}`);
    await notify();
    pass(MINUTE);
    await notify();
    expect(subjects(all)).toEqual(["Example: No longer shown: Payments fail"]);
  });
});
