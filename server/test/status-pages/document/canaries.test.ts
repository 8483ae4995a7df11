import { expect, test } from "vitest";
import { titleOfOutage } from "../../../src/incidents/title-rules.ts";
import { insertMany } from "../../../src/platform/database/bulk.ts";
import { msg } from "../../../src/platform/i18n/message.ts";
import type { TestServer } from "../../harness/server.ts";
import { eachEngine } from "../../harness/stores.ts";
import { HOUR, makeDomain, NOW, serve, setState } from "../../monitors/domains/factories.ts";
import { makeService } from "../../monitors/services/factories.ts";
import { linkDomain, makePage, PAGES } from "../factories.ts";

/** Every one of them holds this, and nothing that visitors may read does. */
const CANARY = /canary/i;

const post = async (server: TestServer, path: string, body: object) => {
  const answer = await server.api("POST", path, body);
  if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
  return answer.body.data;
};

async function monitors(server: TestServer) {
  const domain = await makeDomain(server, {
    ...{ name: "canary-name", url: "https://canary-user.test/canary-path?canary=query" },
    ...{ isApi: true, method: "POST", body: "canary-body", tags: ["canary-tag"] },
    ...{ headers: { "x-canary": "canary-header" } },
    ...{ authType: "bearer", authConfig: { token: "canary-secret" } },
  });
  const service = await makeService(server, { name: "canary-service" });
  return { domain, service };
}

/** An outage with reasons, in an incident that people have worked on. */
async function incidents(server: TestServer, monitorId: number) {
  const { db } = server.ctx.store;
  const { id: organizationId } = server.person.organization;
  const because = { code: "text", params: { text: "canary-reason" } };
  const reported = JSON.stringify({
    ...{ code: "incident.outage", params: { name: "canary-name", since: new Date(NOW).toISOString() } },
    because,
  });
  const { id } = await db
    .insertInto("incidents")
    .values({
      ...{ uuid: crypto.randomUUID(), organization_id: organizationId, monitor_id: monitorId, automatic: 1 },
      ...{
        title: "canary-name is down",
        description: "canary-reason",
        description_message: reported,
        status: "open",
      },
      title_message: JSON.stringify(titleOfOutage("canary-name")),
      ...{ severity: "high", impact: "major", started_at: NOW - HOUR, detected_at: NOW - HOUR },
      ...{ created_at: NOW, updated_at: NOW, postmortem: null },
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  const service = { organization_id: organizationId, incident_id: id, joined: 0 };
  await insertMany(db, "affected_services", [
    { ...service, monitor_id: monitorId, name: "canary-name", outage_started_at: NOW - HOUR },
    { ...service, monitor_id: null, name: "canary-affected", outage_started_at: null },
  ]);
  const entry = { organization_id: organizationId, incident_id: id, status: "open", at: NOW, is_opening: 0 };
  const { userId } = server.person;
  const merged = JSON.stringify(msg("incident.merged", { title: "canary-merged" }));
  await insertMany(db, "incident_updates", [
    { ...entry, user_id: null, message: "canary-reason", descriptor: reported, pages: null },
    { ...entry, user_id: userId, message: "canary-merged", descriptor: merged, pages: null },
    { ...entry, user_id: userId, message: "canary-unpublished", descriptor: null, pages: "[]" },
  ]);
  const manual = await post(server, "/api/incidents", {
    ...{ title: "Slow", description: "canary-description", monitorIds: [monitorId] },
    affectedServices: ["canary-affected"],
  });
  for (const incident of [{ id }, manual]) {
    const path = `/api/incidents/${incident.id}`;
    await post(server, `${path}/updates`, { message: "We are on it.", status: "identified" });
    for (const isInternal of [true, false])
      await post(server, `${path}/comments`, { content: "canary-comment", isInternal });
    await server.api("PUT", `${path}/postmortem`, { postmortem: "canary-postmortem" });
    await server.api("POST", `${path}/acknowledge`, {});
    await server.api("POST", `${path}/assign`, { userId });
  }
}

eachEngine("what a status page must not reveal", (engine) => {
  test("is in no byte of its JSON, in either family", async () => {
    const server = await serve({ engine });
    const { db } = server.ctx.store;
    const { organization, userId } = server.person;
    await db
      .updateTable("users")
      .set({ name: "Canary Person", email: `canary${userId}@canary.test` })
      .where("id", "=", userId)
      .execute();
    await db
      .updateTable("organizations")
      .set({ name: "canary-organization" })
      .where("id", "=", organization.id)
      .execute();
    const page = await makePage(server);
    const { domain, service } = await monitors(server);
    await linkDomain(server, page, domain, { showsResponseTimes: true });
    const linked = { serviceId: service.id, displayName: "Database" };
    await post(server, `${PAGES}/${page.id}/services`, linked);
    const lastResult = JSON.stringify({ location: "canary-location", address: "canary-address" });
    await setState(server.ctx.store, domain.id, { status: "down", last_result: lastResult });
    await insertMany(db, "transitions", [
      {
        ...{ organization_id: organization.id, monitor_id: domain.id, from_status: "up", to_status: "down" },
        ...{ at: NOW - HOUR, detected_at: NOW - HOUR, maintenance: 0 },
        reason: JSON.stringify({ code: "text", params: { text: "canary-reason" } }),
      },
    ]);
    await incidents(server, domain.id);
    await post(server, "/api/maintenance", { title: "Upgrade", duration: 3600, tags: ["canary-tag"] });
    for (const family of [PAGES, "/v2/status-pages"]) {
      const answer = await server.api("GET", `${family}/${page.slug}/public`, undefined, { key: null });
      const { data } = answer.body;
      expect(data.groups[0].components).toHaveLength(2);
      expect(data.incidents).toHaveLength(2);
      expect(data.maintenance).toHaveLength(1);
      expect(JSON.stringify(data)).toContain("We are on it.");
      const everything = JSON.stringify([answer.body, ...answer.headers]);
      expect(everything).not.toMatch(CANARY);
      for (const uuid of [domain.uuid, service.uuid, organization.uuid]) {
        expect(everything).not.toContain(uuid);
      }
    }
  });
});
