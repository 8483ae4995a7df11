import { expect, test } from "vitest";
import { slugFor } from "../../../src/platform/formats/name.ts";
import { eachEngine } from "../../harness/stores.ts";
import { serverWithDevices, system } from "../../monitors/devices/device-setup.ts";
import { makeDomain, serve } from "../../monitors/domains/factories.ts";
import { makeService } from "../../monitors/services/factories.ts";
import { linkDomain, makePage, newSlug, PAGES, publicOf } from "../factories.ts";

interface Shown {
  uuid: string;
  name: string | null;
  components: { uuid: string; name: string; description: string }[];
}

const namesOf = (groups: Shown[]) =>
  groups.map(({ name, components }) => [name, ...components.map((one) => one.name)]);

eachEngine("what a page shows, as a whole", (engine) => {
  test("200: a preview warns of names that are addresses or reveal what is checked, which may be saved all the same", async () => {
    const server = await serve({ engine });
    const page = await makePage(server);
    const path = `${PAGES}/${page.id}`;
    const [front, data] = [
      await makeDomain(server, { name: "Front", url: "https://web-01:8443/" }),
      await makeService(server, { name: "Database" }),
    ];
    const renamed = await linkDomain(server, page, front, { displayName: "10.0.0.12" });
    const revealing = async (contents?: object, key = server.key) =>
      (await server.api("POST", `${path}/preview`, { contents }, { key })).body.data.revealing;
    expect(await revealing()).toEqual([renamed.uuid]);
    const named = (displayName: string, other = "Database") => ({
      components: [{ uuid: renamed.uuid, displayName }],
      groups: [{ name: "Inside", components: [{ monitorUuid: data.uuid, displayName: other }] }],
    });
    expect(await revealing(named("Shop"))).toEqual([]);
    expect(await revealing(named("Our WEB-01"))).toEqual([renamed.uuid]);
    expect(await revealing(named("Shop", "https://db.internal"))).toEqual([data.uuid]);
    const { person } = server;
    const narrow = await server.createKey({ person, scopes: ["*:status-pages", "read:services"] });
    expect(await revealing(named("Our WEB-01"), narrow)).toEqual([]);
    expect(await revealing(named("10.0.0.12"), narrow)).toEqual([renamed.uuid]);
    expect((await server.api("PUT", path, { contents: named("Our WEB-01") })).status).toBe(200);
  });

  test("422: a device is not shown by the name of its machine, unless that is chosen, of which a preview warns", async () => {
    const { api, addDevice, server } = await serverWithDevices(engine);
    const page = await makePage(server);
    const path = `${PAGES}/${page.id}`;
    const link = (deviceId: number, more = {}) => api("POST", `${path}/devices`, { deviceId, ...more });
    const [reported, silent] = [await addDevice({ name: "Old web-1" }), await addDevice({ name: "Agents" })];
    await reported.agent.report({ system: system("web-1.corp") });
    const token = await api("POST", "/api/devices/enrollment-tokens", { name: "Machines" });
    const machine = { instance: crypto.randomUUID(), machineId: "machine-2", hostname: "zeus" };
    const about = { ...machine, platform: "linux", architecture: "x64" };
    const key = token.body.data.token;
    const { deviceId } = (await api("POST", "/api/agent/enroll", about, { key })).body.data;
    for (const id of [reported.id, deviceId]) {
      const { status, body } = await link(id);
      expect([status, Object.keys(body.errors)]).toEqual([422, ["displayName"]]);
    }
    expect((await link(silent.id)).body.data.displayName).toBe("Agents");
    const { uuid } = (await link(deviceId, { displayName: "Zeus" })).body.data;
    expect((await api("POST", `${path}/preview`, {})).body.data.revealing).toEqual([uuid]);
    const contents = { components: [{ monitorUuid: reported.uuid }], groups: [] };
    const saved = await api("PUT", path, { contents });
    expect([saved.status, Object.keys(saved.body.errors)]).toEqual([
      422,
      ["contents.components.0.displayName"],
    ]);
  });

  test("200: what is sent is shown, in that order, and nothing else; a preview of it stores nothing", async () => {
    const server = await serve({ engine });
    const page = await makePage(server);
    const front = await makeDomain(server, { name: "Front" });
    const old = await makeDomain(server, { name: "Old", url: "https://old.test" });
    const data = await makeService(server, { name: "Database" });
    const renamed = await linkDomain(server, page, front, {
      displayName: "Shop",
      description: "Where you buy",
    });
    await linkDomain(server, page, old);
    const contents = {
      components: [{ monitorUuid: data.uuid, showsResponseTimes: true }],
      groups: [
        { name: " Web <b> ", components: [{ uuid: renamed.uuid.toUpperCase(), displayName: "Our shop" }] },
      ],
    };
    const path = `${PAGES}/${page.id}`;
    const before = await publicOf(server, page.slug);
    const looked = await server.api("POST", `${path}/preview`, {
      ...{ contents, name: "Draft & more", language: "de", theme: "dark" },
    });
    expect(looked.status).toBe(200);
    const { html } = looked.body.data;
    expect(html).toMatch(
      /<html lang="de">.*http-equiv="content-security-policy" content="default-src &#39;none&#39;/s,
    );
    expect(html).toMatch(/<title>Draft &amp; more .*Database.*Web &lt;b&gt;.*Our shop.*Where you buy/s);
    expect(html).not.toContain("<script");
    expect(html).not.toContain("prefers-color-scheme");
    expect((await publicOf(server, page.slug)).groups).toEqual(before.groups);

    const saved = await server.api("PUT", path, { contents, name: "Draft & more" });
    expect(saved.status).toBe(200);
    const [group] = saved.body.data.groups;
    const shown = await publicOf(server, page.slug);
    expect(namesOf(shown.groups)).toEqual([
      [null, "Database"],
      ["Web <b>", "Our shop"],
    ]);
    expect(shown.groups[1].components[0]).toMatchObject({ uuid: renamed.uuid, description: "Where you buy" });
    const turned = {
      components: [{ uuid: renamed.uuid }],
      groups: [{ uuid: group.uuid, name: "Rest", components: [] }],
    };
    const inV2 = await server.api("PUT", `/v2/status-pages/${page.uuid}`, { contents: turned });
    expect(inV2.body.data.groups).toMatchObject([{ id: group.id, name: "Rest" }]);
    expect(namesOf((await publicOf(server, page.slug)).groups)).toEqual([[null, "Our shop"]]);
  });

  test("409: a change of a version that is no longer the newest changes nothing", async () => {
    const server = await serve({ engine });
    const path = `${PAGES}/${(await makePage(server)).id}`;
    const { updatedAt } = (await server.api("GET", path)).body.data;
    const before = new Date(Date.parse(updatedAt) - 1).toISOString();
    const contents = { components: [], groups: [{ name: "Web", components: [] }] };
    const late = await server.api("PUT", path, { name: "Two", contents, unchangedSince: before });
    expect([late.status, late.body.fact.code]).toEqual([409, "page.changed"]);
    expect((await server.api("GET", path)).body.data).toMatchObject({ name: "Example", groups: [] });
    const anew = { name: "Two", contents, unchangedSince: updatedAt };
    expect((await server.api("PUT", path, anew)).status).toBe(200);
  });

  test("422: what cannot be shown is named by its place, and nothing is changed", async () => {
    const server = await serve({ engine });
    const page = await makePage(server);
    const domain = await makeDomain(server, { name: "https://shop.test" });
    const theirs = await makeDomain(server, {}, await server.createKey({ plan: "expert" }));
    const other = await makePage(server);
    const elsewhere = await linkDomain(server, other, domain);
    const contents = {
      components: [
        { monitorUuid: domain.uuid },
        { monitorUuid: theirs.uuid },
        { uuid: elsewhere.uuid },
        { displayName: "Nothing" },
      ],
      groups: [
        {
          uuid: crypto.randomUUID(),
          name: "Web",
          components: [{ monitorUuid: domain.uuid, displayName: "Twice" }],
        },
      ],
    };
    for (const [method, path] of [
      ["PUT", `${PAGES}/${page.id}`],
      ["POST", `${PAGES}/${page.id}/preview`],
    ] as const) {
      const { status, body } = await server.api(method, path, { contents, name: "Changed" });
      expect([status, Object.keys(body.errors).sort()]).toEqual([
        422,
        [
          "contents.components.0.displayName",
          "contents.components.1.monitorUuid",
          "contents.components.2.uuid",
          "contents.components.3.monitorUuid",
          "contents.groups.0.components.0.monitorUuid",
          "contents.groups.0.uuid",
        ],
      ]);
    }
    expect(await publicOf(server, page.slug)).toMatchObject({ name: "Example", groups: [] });
    const many = Array.from({ length: 150 }, () => ({ monitorUuid: domain.uuid }));
    const tooMany = { components: many, groups: [{ name: "Web", components: many }] };
    expect((await server.api("PUT", `${PAGES}/${page.id}`, { contents: tooMany })).status).toBe(403);
  });

  test("the list is narrowed by a part of a name or a slug", async () => {
    const server = await serve({ engine });
    const shop = await makePage(server, { name: "Größe" });
    await makePage(server, { name: "Other" });
    const found = async (search: string) => {
      const { body } = await server.api(
        "GET",
        `${PAGES}?page=1&limit=1&search=${encodeURIComponent(search)}`,
      );
      return [body.pagination.total, body.data.map((one: { id: number }) => one.id)];
    };
    expect(await found("GRÖ")).toEqual([1, [shop.id]]);
    expect(await found(shop.slug)).toEqual([1, [shop.id]]);
    expect((await found(""))[0]).toBe(2);
  });

  test("a slug is found for a name, and whether one can be had is said", async () => {
    const server = await serve({ engine });
    const slug = newSlug();
    const read = (query: string) => server.api("GET", `${PAGES}/free-slug?${query}`);
    expect((await read(`slug=${slug}`)).body.data).toEqual({ slug, formerOf: null });
    await makePage(server, { slug });
    const { status, body } = await read(`slug=${slug}`);
    expect([status, body.errors.slug]).toEqual([422, [`The slug ${slug} is taken. Choose another one.`]]);
    expect((await read("slug=api")).status).toBe(422);
    expect((await read(`name=${slug.replaceAll("-", " ")}`)).body.data.slug).toBe(`${slug}-2`);
    // Reserved.
    expect((await read(`name=${encodeURIComponent("状态")}`)).body.data.slug).toMatch(/^status-\d+$/);
  });
});

test("a name becomes a slug by its letters and digits", () => {
  expect(["Müller & Söhne GmbH", "Société Générale", "  X ", "状态", "a".repeat(80)].map(slugFor)).toEqual([
    "mueller-soehne-gmbh",
    "societe-generale",
    "x-status",
    "status",
    "a".repeat(50),
  ]);
});
