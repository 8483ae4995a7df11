import { expect, test } from "vitest";
import { makeDomain, serve } from "../domains/factories.ts";
import { eachEngine } from "../harness/stores.ts";
import { makeService } from "../services/factories.ts";
import { linkDomain, makePage, newSlug, PAGES, publicOf } from "./factories.ts";

eachEngine("the API of status pages", (engine) => {
  test("201, 200: creates, lists, gets, changes and deletes, in both families", async () => {
    const server = await serve({ engine, config: { publicUrl: "https://vedette.test" } });
    const slug = newSlug();
    const created = await server.api("POST", "/v2/status-pages", {
      ...{ name: " Example ", slug, description: " What we run. " },
      ...{ is_public: false, show_automatic: false, time_zone: "Europe/Berlin" },
    });
    expect(created.status).toBe(201);
    const { id, uuid } = created.body.data;
    expect(created.body.data).toMatchObject({
      ...{ name: "Example", slug, description: "What we run.", is_public: false, show_automatic: false },
      ...{ time_zone: "Europe/Berlin", url: `https://vedette.test/status/${slug}` },
      ...{ groups: [], components: [] },
    });
    const got = await server.api("GET", `${PAGES}/${uuid}`);
    expect(got.body.data).toMatchObject({ id, isPublic: false, showAutomatic: false });
    const changed = await server.api("PUT", `${PAGES}/${id}`, { name: "State" });
    expect(changed.body.data).toMatchObject({ name: "State", slug, description: "What we run." });
    const listed = await server.api("GET", `${PAGES}?page=1&limit=10`);
    expect(listed.body.data.map((one: { uuid: string }) => one.uuid)).toEqual([uuid]);
    expect(listed.body.pagination).toMatchObject({ total: 1 });
    expect((await server.api("DELETE", `/v2/status-pages/${id}`)).body.data).toEqual({ id });
    expect((await server.api("GET", `${PAGES}/${id}`)).status).toBe(404);
  });

  test("a page is public and in UTC where nothing else is said", async () => {
    const server = await serve({ engine });
    expect(await makePage(server)).toMatchObject({
      ...{ isPublic: true, showAutomatic: true, timeZone: "UTC", description: "", url: null },
    });
  });

  test("domains and services are linked, changed and unlinked, in both families", async () => {
    const server = await serve({ engine });
    const page = await makePage(server);
    const domain = await makeDomain(server, { name: "Front" });
    const service = await makeService(server);
    const linked = await server.api("POST", `${PAGES}/${page.id}/domains`, { domainId: domain.id });
    expect(linked.status).toBe(201);
    expect(linked.body.data).toMatchObject({
      ...{ kind: "domain", monitorId: domain.id, monitorUuid: domain.uuid, displayName: "Front" },
      ...{ groupId: null, showsUptime: true, showsDays: true, showsResponseTimes: false },
    });
    const second = await server.api("POST", `/v2/status-pages/${page.uuid}/services`, {
      ...{ service_id: service.uuid, display_name: " Database ", shows_response_times: true, position: 0 },
    });
    expect(second.body.data).toMatchObject({ display_name: "Database", shows_response_times: true });
    const { components } = (await server.api("GET", `${PAGES}/${page.id}`)).body.data;
    expect(components.map((one: { displayName: string }) => one.displayName)).toEqual(["Database", "Front"]);
    const link = `${PAGES}/${page.id}/services/${second.body.data.id}`;
    const changed = await server.api("PUT", link, { displayName: "Data", position: 1, showsDays: false });
    expect(changed.body.data).toMatchObject({ displayName: "Data", showsDays: false, showsUptime: true });
    expect((await publicOf(server, page.slug)).groups[0].components).toMatchObject([
      { name: "Front" },
      { name: "Data", days: null },
    ]);
    const asDomain = await server.api("PUT", link.replace("services", "domains"), { description: "x" });
    expect(asDomain.status).toBe(404);
    const { id } = second.body.data;
    expect((await server.api("DELETE", link)).body.data).toEqual({ id });
    expect((await server.api("DELETE", link)).status).toBe(404);
    expect((await publicOf(server, page.slug)).groups[0].components).toHaveLength(1);
    const v2Link = `/v2/status-pages/${page.id}/domains/${linked.body.data.uuid}`;
    expect((await server.api("DELETE", v2Link)).status).toBe(200);
  });

  test("422: what is linked must be there, be the caller's to read, and be linked once", async () => {
    const server = await serve({ engine });
    const page = await makePage(server);
    const domain = await makeDomain(server, { name: "Front" });
    const theirs = await makeDomain(server, {}, await server.createKey({ plan: "expert" }));
    const service = await makeService(server);
    for (const domainId of [theirs.id, theirs.uuid, service.id, 999_999_999, "front"]) {
      const { status, body } = await server.api("POST", `${PAGES}/${page.id}/domains`, { domainId });
      expect([status, Object.keys(body.errors)]).toEqual([422, ["domainId"]]);
    }
    const narrow = await server.createKey({ person: server.person, scopes: ["write:status-pages"] });
    const hidden = await server.api(
      "POST",
      `${PAGES}/${page.id}/domains`,
      { domainId: domain.id },
      { key: narrow },
    );
    expect([hidden.status, Object.keys(hidden.body.errors)]).toEqual([422, ["domainId"]]);
    await linkDomain(server, page, domain);
    const twice = await server.api("POST", `${PAGES}/${page.id}/domains`, { domainId: domain.id });
    expect(twice.body.errors).toEqual({ domainId: ["It is on this page already."] });
    const read = await server.api("GET", `${PAGES}/${page.id}`, undefined, { key: narrow });
    expect(read.body.data.components).toMatchObject([
      { monitorId: null, monitorUuid: null, monitorName: null },
    ]);
    const device = await server.api("POST", `${PAGES}/${page.id}/devices`, { deviceId: 1 });
    expect(device.body.errors).toEqual({ deviceId: ["There is nothing of this kind with the id 1."] });
  });
});
