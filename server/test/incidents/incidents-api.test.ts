import { describe, expect, it } from "vitest";
import { eachEngine } from "../harness/stores.ts";
import { addDevice } from "../monitors/devices/add-device.ts";
import { outage, serverOn } from "./setup.ts";

eachEngine("GET /api/incidents", (engine) => {
  it("lists the organization's incidents, newest first, in the specification's words", async () => {
    const server = await serverOn(engine);
    const shop = await outage(server, server.person, "shop", { over: true });
    await outage(server, server.person, "blog", { severity: "critical" });
    await outage(server, await server.createOrganization(), "foreign");
    const { status, body } = await server.api("GET", "/api/incidents");
    expect(status).toBe(200);
    expect(body.pagination).toBeUndefined();
    expect(body.data).toMatchObject([
      { title: "blog is down", status: "open", severity: "critical", impact: "major", resolvedAt: null },
      {
        title: "shop was down",
        titleFact: { code: "incident.down_over", params: { name: "shop" } },
        status: "resolved",
        severity: "high",
        affectedServices: ["shop"],
        monitorId: shop,
      },
    ]);
    const [, { startedAt, detectedAt, resolvedAt }] = body.data;
    expect(Date.parse(startedAt)).toBeLessThan(Date.parse(detectedAt));
    expect(Date.parse(resolvedAt) - Date.parse(startedAt)).toBe(2_000);
    const [goesOn, isOver] = body.data;
    expect(goesOn.description).toMatch(/^blog has not been working since /);
    expect(isOver.description).toMatch(/^shop stopped working at /);
    expect(isOver.fact).toMatchObject({ code: "incident.outage_over", params: { name: "shop" } });
    const { description, fact } = isOver;
    const same = await server.api("PUT", `/api/incidents/${isOver.id}`, { description });
    expect(same.body.data).toMatchObject({ description, fact });
  });

  it("keeps telling in its own words what a person has not written: the title, or the description", async () => {
    const server = await serverOn(engine);
    await outage(server, server.person, "shop", { over: true });
    await outage(server, server.person, "blog", { over: true });
    const [blog, shop] = (await server.api("GET", "/api/incidents")).body.data;
    const described = await server.api("PUT", `/api/incidents/${shop.id}`, { description: "Ticket 4711." });
    expect(described.body.data).toMatchObject({
      ...{ title: "shop was down", titleFact: { code: "incident.down_over", params: { name: "shop" } } },
      ...{ description: "Ticket 4711.", fact: null },
    });
    const titled = await server.api("PUT", `/api/incidents/${blog.id}`, { title: "blog is down" });
    expect(titled.body.data).toMatchObject({ title: "blog was down", titleFact: blog.titleFact });
    const called = await server.api("PUT", `/api/incidents/${blog.id}`, { title: "No blog today" });
    expect(called.body.data).toMatchObject({
      ...{ title: "No blog today", titleFact: null },
      ...{ description: blog.description, fact: blog.fact },
    });
    const found = await server.api("GET", "/api/search?q=shop");
    expect(found.body.data).toContainEqual(
      expect.objectContaining({ kind: "incident", name: "shop was down" }),
    );
  });

  it("filters by status and severity, and by an organization that the caller belongs to", async () => {
    const server = await serverOn(engine);
    await outage(server, server.person, "shop", { over: true });
    await outage(server, server.person, "blog", { severity: "critical" });
    const titles = async (query: string) =>
      (await server.api("GET", `/api/incidents?${query}`)).body.data.map(
        ({ title }: { title: string }) => title,
      );
    expect(await titles("status=open")).toEqual(["blog is down"]);
    expect(await titles("status=resolved")).toEqual(["shop was down"]);
    expect(await titles("severity=critical&status=resolved")).toEqual([]);
    expect(await titles(`organizationId=${server.person.organization.slug}&severity=high`)).toEqual([
      "shop was down",
    ]);
    const foreign = await server.createOrganization();
    expect((await server.api("GET", `/api/incidents?organizationId=${foreign.organization.id}`)).status).toBe(
      404,
    );
  });

  it("finds an incident by the name of what it affects, in its list and in the search over everything", async () => {
    const server = await serverOn(engine);
    const body = { title: "Cards are refused", affectedServices: ["Kasse Österreich", "Terminal"] };
    expect((await server.api("POST", "/api/incidents", body)).status).toBe(201);
    await server.api("POST", "/api/incidents", { ...body, title: "Other", affectedServices: ["Blog"] });
    const found = await server.api("GET", `/api/incidents?search=${encodeURIComponent("ÖSTERR")}`);
    expect(found.body.data).toMatchObject([{ title: "Cards are refused" }]);
    const query = encodeURIComponent("terminal cards");
    const everywhere = await server.api("GET", `/api/search?q=${query}`);
    expect(JSON.stringify(everywhere.body.data)).toContain("Cards are refused");
    expect(JSON.stringify(everywhere.body.data)).not.toContain("Other");
    const key = await server.createKey({ person: await server.createOrganization() });
    const foreign = await server.api("GET", "/api/incidents?search=terminal", undefined, { key });
    expect(foreign.body.data).toEqual([]);
  });

  it("narrows by whether it goes on, by monitor, text and time, all together", async () => {
    const server = await serverOn(engine);
    const shop = await outage(server, server.person, "Shop Zürich", { over: true });
    const blog = await outage(server, server.person, "blog");
    const titles = async (query: string) =>
      (await server.api("GET", `/api/incidents?${query}`)).body.data.map(
        ({ title }: { title: string }) => title,
      );
    expect(await titles("active=true")).toEqual(["blog is down"]);
    expect(await titles("active=false")).toEqual(["Shop Zürich was down"]);
    expect(await titles(`monitor=${shop}`)).toEqual(["Shop Zürich was down"]);
    expect(await titles(`monitor=${blog}&active=false`)).toEqual([]);
    expect(await titles("search=ZÜRICH")).toEqual(["Shop Zürich was down"]);
    // As the list shows it to its reader, in their language.
    for (const shown of ["Zürich was do", "zürich war ausgefallen", "Zürich 曾发生故障"])
      expect(await titles(`search=${encodeURIComponent(shown)}`)).toEqual(["Shop Zürich was down"]);
    expect(await titles("search=is%20down&active=true")).toEqual(["blog is down"]);
    const now = server.ctx.clock.now();
    const at = (ms: number) => encodeURIComponent(new Date(now + ms).toISOString());
    expect(await titles(`from=${at(60_000)}`)).toEqual(["blog is down"]);
    expect(await titles(`to=${at(-60_000)}`)).toEqual([]);
    expect(await titles(`from=${at(-60_000)}&to=${at(0)}&search=o`)).toHaveLength(2);
    const outsider = await server.createKey({ person: await server.createOrganization() });
    const foreign = await server.api("GET", `/api/incidents?monitor=${shop}`, undefined, { key: outsider });
    expect([foreign.status, Object.keys(foreign.body.errors)]).toEqual([422, ["monitor"]]);
  });

  it("narrows by device, as by any monitor, in both families, and is refused for what is none", async () => {
    const server = await serverOn(engine);
    const shop = await outage(server, server.person, "shop");
    const { id, uuid } = await addDevice(server.ctx.store, server.person.organization.id);
    const other = await addDevice(server.ctx.store, server.person.organization.id);
    const report = (title: string, monitorIds: number[]) =>
      server.api("POST", "/api/incidents", { title, monitorIds, severity: "low" });
    await report("Disk is full", [id, shop]);
    await report("Fans are loud", [other.id]);
    const outsider = await server.createKey({ person: await server.createOrganization() });
    for (const path of ["/api/incidents", "/v2/incidents"]) {
      const titles = async (query: string) =>
        (await server.api("GET", `${path}?${query}`)).body.data.map(({ title }: { title: string }) => title);
      for (const ref of [id, uuid])
        for (const name of ["device", "monitor"])
          expect(await titles(`${name}=${ref}`)).toEqual(["Disk is full"]);
      expect(await titles(`device=${id}&monitor=${shop}&severity=low&active=true`)).toEqual(["Disk is full"]);
      expect(await titles(`device=${other.id}&monitor=${shop}`)).toEqual([]);
      expect(await titles(`device=${id}&active=false`)).toEqual([]);
      for (const [device, key] of [
        [shop, server.key],
        ["987654", server.key],
        ["unknown", server.key],
        [id, outsider],
      ]) {
        const { status, body } = await server.api("GET", `${path}?device=${device}`, undefined, {
          key: String(key),
        });
        expect([device, status, Object.keys(body.errors)]).toEqual([device, 422, ["device"]]);
      }
    }
    await server.api("DELETE", `/api/devices/${id}`);
    expect((await server.api("GET", `/api/incidents?device=${uuid}`)).body.data).toHaveLength(1);
  });

  it("is refused for a monitor that there never was, in both families, and not for one that is deleted", async () => {
    const server = await serverOn(engine);
    const shop = await outage(server, server.person, "shop");
    for (const path of ["/api/incidents", "/v2/incidents"])
      for (const monitor of ["987654", "unknown", crypto.randomUUID()]) {
        const { status, body } = await server.api("GET", `${path}?monitor=${monitor}`);
        expect([status, Object.keys(body.errors)]).toEqual([422, ["monitor"]]);
      }
    await server.api("DELETE", `/api/domains/${shop}`);
    const { body } = await server.api("GET", `/api/incidents?monitor=${shop}`);
    expect(body.data).toHaveLength(1);
  });

  it("is paged when a page is requested", async () => {
    const server = await serverOn(engine);
    for (const name of ["a", "b", "c"]) await outage(server, server.person, name);
    const { body } = await server.api("GET", "/api/incidents?page=2&limit=2");
    expect(body.data).toMatchObject([{ title: "a is down" }]);
    expect(body.pagination).toEqual({ page: 2, limit: 2, total: 3, totalPages: 2 });
  });

  it("shows one by its number or its uuid, and hides those of others", async () => {
    const server = await serverOn(engine);
    await outage(server, server.person, "shop");
    const [incident] = (await server.api("GET", "/api/incidents")).body.data;
    for (const id of [incident.id, incident.uuid]) {
      const { data } = (await server.api("GET", `/api/incidents/${id}`)).body;
      expect(data).toEqual({ ...incident, suppressed: [] });
    }
    const outsider = await server.createKey({ person: await server.createOrganization() });
    for (const id of [incident.id, incident.uuid, 987_654, "nonsense"]) {
      const answer = await server.api("GET", `/api/incidents/${id}`, undefined, { key: outsider });
      expect(answer).toMatchObject({ status: 404, body: { message: "Resource not found." } });
    }
  });
});

eachEngine("GET /v2/incidents", (engine) => {
  it("gives the same incidents in snake_case, always paged", async () => {
    const server = await serverOn(engine);
    const shop = await outage(server, server.person, "shop");
    for (const path of ["/v2/incidents", "/api/v2/incidents"]) {
      const { status, body } = await server.api("GET", path);
      expect(status).toBe(200);
      expect(body.data).toMatchObject([
        { title: "shop is down", affected_services: ["shop"], monitor_id: shop, resolved_at: null },
      ]);
      expect(body.pagination).toEqual({ page: 1, per_page: 15, total: 1, total_pages: 1 });
      const one = await server.api("GET", `${path}/${body.data[0].uuid}`);
      expect(one.body.data).toEqual({ ...body.data[0], suppressed: [] });
    }
  });
});

describe("the status codes of incidents", () => {
  const PATHS = ["/api/incidents", "/api/incidents/1", "/v2/incidents", "/v2/incidents/1"];

  it.each(PATHS)("%s answers 401 without credentials", async (path) => {
    const server = await serverOn("sqlite");
    const { status, body } = await server.api("GET", path, undefined, { key: null });
    expect([status, body]).toEqual([
      401,
      { success: false, message: "Unauthenticated.", fact: { code: "request.unauthenticated" } },
    ]);
  });

  it.each(PATHS)("%s answers 403 to a key without its scope, and names it", async (path) => {
    const server = await serverOn("sqlite", { scopes: ["read:domains"] });
    const { status, body } = await server.api("GET", path);
    expect(status).toBe(403);
    expect(body.message).toContain("read:incidents");
  });

  it.each([
    ["free", "/api/incidents", 403, "This feature requires a Pro Plan subscription."],
    ["pro", "/api/incidents", 200, "OK"],
    ["pro", "/v2/incidents", 403, "This feature requires an Expert Plan subscription."],
  ] as const)("a %s plan gets from %s a %i", async (plan, path, status, message) => {
    const server = await serverOn("sqlite", { plan });
    expect(await server.api("GET", path)).toMatchObject({ status, body: { message } });
  });

  it.each([
    ["/api/incidents?status=burning&severity=awful&limit=0&page=0", ["limit", "page", "severity", "status"]],
    ["/v2/incidents?per_page=101&status=burning", ["per_page", "status"]],
  ])("%s answers 422 and names every bad field", async (path, fields) => {
    const server = await serverOn("sqlite");
    const { status, body } = await server.api("GET", path);
    expect(status).toBe(422);
    expect(Object.keys(body.errors).sort()).toEqual(fields);
  });
});
