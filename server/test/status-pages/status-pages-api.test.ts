import { expect, test } from "vitest";
import { insertMany } from "../../src/platform/database/bulk.ts";
import { eachEngine } from "../harness/stores.ts";
import { makeDomain, serve } from "../monitors/domains/factories.ts";
import { makeService } from "../monitors/services/factories.ts";
import {
  componentRow,
  linkDomain,
  makePage,
  manyMonitors,
  newSlug,
  PAGES,
  pageRow,
  publicOf,
} from "./factories.ts";

eachEngine("the API of status pages", (engine) => {
  test("200: a time zone is taken in any case, and stored as IANA writes it", async () => {
    const server = await serve({ engine });
    const page = await makePage(server, { timeZone: "europe/berlin" });
    const read = async () => (await server.api("GET", `${PAGES}/${page.id}`)).body.data.timeZone;
    expect(await read()).toBe("Europe/Berlin");
    await server.api("PUT", `${PAGES}/${page.id}`, { timeZone: "asia/KOLKATA" });
    expect(await read()).toBe("Asia/Kolkata");
  });

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
    expect(twice.body.errors).toEqual({ domainId: ["It is already on this page."] });
    const read = await server.api("GET", `${PAGES}/${page.id}`, undefined, { key: narrow });
    expect(read.body.data.components).toMatchObject([
      { monitorId: null, monitorUuid: null, monitorName: null },
    ]);
    const device = await server.api("POST", `${PAGES}/${page.id}/devices`, { deviceId: 1 });
    expect(device.body.errors).toEqual({ deviceId: ["There is nothing of this kind with the id 1."] });
  });

  test("422: a slug has its form, is not reserved, and belongs to one page of the installation", async () => {
    const server = await serve({ engine });
    const page = await makePage(server);
    const errorsOf = async (slug: unknown, key = server.key) => {
      const { status, body } = await server.api("POST", PAGES, { name: "Two", slug }, { key });
      return [status, body.errors?.slug];
    };
    expect(await errorsOf("Ab")).toEqual([
      422,
      ["A slug has 3 to 64 characters: a to z, 0 to 9 and hyphens."],
    ]);
    expect(await errorsOf("api-keys")).toEqual([422, ["The slug api-keys is reserved. Choose another one."]]);
    const taken = [422, [`The slug ${page.slug} is taken. Choose another one.`]];
    expect(await errorsOf(page.slug)).toEqual(taken);
    const outsider = await server.createKey({ plan: "expert" });
    expect(await errorsOf(page.slug, outsider)).toEqual(taken);
    const other = await makePage(server);
    const renamed = await server.api("PUT", `${PAGES}/${other.id}`, { slug: page.slug });
    expect([renamed.status, renamed.body.errors.slug]).toEqual(taken);
    expect((await server.api("PUT", `${PAGES}/${page.id}`, { slug: page.slug })).status).toBe(200);
  });

  test("of two who want the same slug at once, one gets it and the other an error", async () => {
    const server = await serve({ engine });
    const slug = newSlug();
    const answers = await Promise.all([1, 2, 3].map(() => server.api("POST", PAGES, { name: "One", slug })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422]);
  });

  test("422: every field that is wrong is named at once", async () => {
    const server = await serve({ engine });
    const body = { name: " ", slug: "x", timeZone: "Mars", isPublic: "yes", description: "a".repeat(2001) };
    const { status, body: answer } = await server.api("POST", PAGES, body);
    expect([status, Object.keys(answer.errors).sort()]).toEqual([
      422,
      ["description", "isPublic", "name", "slug", "timeZone"],
    ]);
  });

  test("groups and order are set at once", async () => {
    const server = await serve({ engine });
    const page = await makePage(server);
    const links = [];
    for (const name of ["A", "B", "C", "D"]) {
      const domain = await makeDomain(server, { name, url: `https://${name.toLowerCase()}.test` });
      links.push(await linkDomain(server, page, domain, { displayName: name }));
    }
    const [a, b, c] = links.map(({ uuid }) => uuid);
    const arrange = (body: object, family = PAGES) => server.api("PUT", `${family}/${page.id}/layout`, body);
    const first = await arrange({ components: [c], groups: [{ name: " Web ", components: [b, a] }] });
    const [group] = first.body.data.groups;
    expect(first.body.data.groups).toMatchObject([{ name: "Web", isCollapsed: false }]);
    const namesOf = (groups: { name: string | null; components: { name: string }[] }[]) =>
      groups.map(({ name, components }) => [name, ...components.map((one) => one.name)]);
    expect(namesOf((await publicOf(server, page.slug)).groups)).toEqual([
      [null, "C", "D"],
      ["Web", "B", "A"],
    ]);
    const second = await arrange(
      {
        groups: [
          { name: "New", is_collapsed: true, components: [c] },
          { uuid: group.uuid, name: "Web", components: [a?.toUpperCase()] },
        ],
      },
      "/v2/status-pages",
    );
    expect(second.status).toBe(200);
    expect(second.body.data.groups[1]).toMatchObject({ uuid: group.uuid, id: group.id });
    const shown = (await publicOf(server, page.slug)).groups;
    expect(namesOf(shown)).toEqual([
      [null, "B", "D"],
      ["New", "C"],
      ["Web", "A"],
    ]);
    expect(shown[1].isCollapsed).toBe(true);
    const moved = await server.api("PUT", `${PAGES}/${page.id}/domains/${b}`, {
      groupId: group.uuid,
      position: 0,
    });
    expect(moved.body.data.groupId).toBe(group.id);
    expect(namesOf((await publicOf(server, page.slug)).groups)[2]).toEqual(["Web", "B", "A"]);
    const lost = await server.api("PUT", `${PAGES}/${page.id}/domains/${b}`, { groupId: 999_999 });
    expect(lost.body.errors).toEqual({ groupId: ["This page has no group 999999."] });
    const gone = await arrange({ groups: [] });
    expect(gone.body.data.groups).toEqual([]);
    expect(namesOf((await publicOf(server, page.slug)).groups)[0]).toHaveLength(5);
    const wrong = await arrange({
      components: [a, crypto.randomUUID()],
      groups: [{ uuid: group.uuid, name: "Web", components: [a] }],
    });
    expect([wrong.status, Object.keys(wrong.body.errors).sort()]).toEqual([422, ["components", "groups"]]);
    const endless = (length: number) => ({
      groups: [{ name: "Web", components: Array.from({ length }, () => a) }],
    });
    expect((await arrange(endless(1_000))).status).toBe(422);
    expect((await arrange(endless(10_000))).status).toBe(413);
    const many = { groups: Array.from({ length: 51 }, () => ({ name: "Web", components: [] })) };
    expect((await arrange(many)).body.errors.groups).toHaveLength(1);
  });

  test("422: a monitor whose name reveals what is checked needs a name for visitors", async () => {
    const server = await serve({ engine });
    const page = await makePage(server);
    const domain = await makeDomain(server, { name: "shop.test (main)" });
    const path = `${PAGES}/${page.id}/domains`;
    const refused = await server.api("POST", path, { domainId: domain.id });
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ["displayName"]]);
    const named = await server.api("POST", path, { domainId: domain.id, displayName: "Shop" });
    expect(named.status).toBe(201);
    await server.api("PUT", `/api/domains/${domain.id}`, { name: "secret.test" });
    expect((await publicOf(server, page.slug)).groups[0].components[0].name).toBe("Shop");
  });

  test("403: a page has 200 components, an organization 100 pages", async () => {
    const server = await serve({ engine });
    const { db } = server.ctx.store;
    const page = await makePage(server);
    const domain = await makeDomain(server, { name: "Front" });
    const { organization } = server.person;
    await insertMany(
      db,
      "status_pages",
      Array.from({ length: 99 }, () => pageRow(organization.id)),
    );
    const another = await server.api("POST", PAGES, { name: "One more", slug: newSlug() });
    expect([another.status, another.body.message]).toEqual([
      403,
      "An organization can have 100 status pages.",
    ]);
    const monitors = await manyMonitors(server, 200);
    await insertMany(
      db,
      "status_page_components",
      monitors.map((id) => componentRow(page, organization.id, id)),
    );
    const full = await server.api("POST", `${PAGES}/${page.id}/domains`, { domainId: domain.id });
    expect([full.status, full.body.message]).toEqual([403, "A status page can have 200 components."]);
  });

  test("a deleted monitor leaves the page; a deleted page leaves its monitors", async () => {
    const server = await serve({ engine });
    const page = await makePage(server);
    const domain = await makeDomain(server);
    await linkDomain(server, page, domain);
    await server.api("DELETE", `/api/domains/${domain.id}`);
    expect((await publicOf(server, page.slug)).groups).toEqual([]);
    const other = await makeDomain(server);
    await linkDomain(server, page, other);
    await server.api("DELETE", `${PAGES}/${page.id}`);
    expect((await server.api("GET", `/api/domains/${other.id}`)).status).toBe(200);
    const gone = await server.api("GET", `${PAGES}/${page.slug}/public`, undefined, { key: null });
    expect(gone.status).toBe(404);
  });
});
