import type { TObject } from "typebox";
import { expect, test } from "vitest";
import { markUntrusted } from "../../../src/assistant/tools/answer.ts";
import { listSuspects } from "../../../src/integrations/queries/deployments.ts";
import { Deployment, IncidentDeployment } from "../../../src/integrations/schemas/deployments.ts";
import { LinkedAccount, Resource } from "../../../src/integrations/schemas/integrations.ts";
import { en } from "../../../src/platform/i18n/en.ts";
import { startTelling } from "../../alerts/channel-setup.ts";
import { eachEngine } from "../../harness/stores.ts";
import { startIntegrating } from "../setup.ts";

const DEPLOYMENTS = "/api/deployments";
const MINUTE = 60_000;

eachEngine("deployments", (engine) => {
  test("are reported by any pipeline with a key, listed by what they touch, and changed", async () => {
    const { server, clock } = await startIntegrating(engine);
    const { api } = server;
    const add = async (url: string, more: object) =>
      (await api("POST", "/api/domains", { url, ...more })).body.data;
    const shop = await add("https://shop.test", { name: "Shop" });
    const blog = await add("https://blog.test", { name: "Blog", tags: ["web"] });
    const key = await server.createKey({ scopes: ["write:integrations", "read:domains"] });
    const made = await api(
      "POST",
      "/v2/deployments",
      { name: "shop", version: "1a2b3c", status: "started", external_id: "run-1" },
      { key },
    );
    expect(made.status).toBe(201);
    // The key's own name, and what is called like it.
    expect(made.body.data).toMatchObject({
      author: "test",
      status: "started",
      finished_at: null,
      monitors: [{ uuid: shop.uuid }],
    });
    clock.pass(2 * MINUTE);
    const again = await api(
      "POST",
      "/v2/deployments",
      { name: "shop", external_id: "run-1", finished_at: new Date(clock.now()).toISOString() },
      { key },
    );
    expect(again.body.data).toMatchObject({
      ...{
        uuid: made.body.data.uuid,
        status: "succeeded",
        version: "1a2b3c",
        started_at: made.body.data.started_at,
      },
      finished_at: new Date(clock.now()).toISOString(),
    });
    clock.pass(1_000);
    const { started_at: startedAt, finished_at: finishedAt } = again.body.data;
    const version = { version: "v2", startedAt, finishedAt };
    const corrected = await api("POST", DEPLOYMENTS, { name: "shop", externalId: "run-1", ...version });
    expect([corrected.status, corrected.body.data.version]).toEqual([200, "v2"]);
    const tagged = await api("POST", DEPLOYMENTS, { name: "all", tags: ["web"], monitors: [shop.id] });
    expect(tagged.body.data.monitors.map(({ name }: { name: string }) => name)).toEqual(["Blog", "Shop"]);
    const namesOf = async (query: string) =>
      (await api("GET", `${DEPLOYMENTS}${query}`)).body.data.map(({ name }: { name: string }) => name);
    expect(await namesOf("")).toEqual(["all", "shop"]);
    expect(await namesOf(`?monitor=${blog.id}`)).toEqual(["all"]);
    expect(await namesOf(`?monitor=${shop.uuid}&to=${made.body.data.started_at}`)).toEqual([]);
    const { started_at: began } = made.body.data;
    const turned = await api("GET", `${DEPLOYMENTS}?from=${began}&to=${new Date(0).toISOString()}`);
    expect([turned.status, turned.body.errors]).toEqual([
      422,
      { to: ["The end must be later than the start."] },
    ]);
    expect((await api("GET", "/v2/deployments?per_page=1")).body.pagination).toMatchObject({ total: 2 });
    const changed = await api("PUT", `/v2/deployments/${tagged.body.data.uuid}`, {
      status: "failed",
      monitors: [],
    });
    expect(changed.body.data).toMatchObject({ status: "failed", monitors: [] });
    expect((await api("DELETE", `${DEPLOYMENTS}/${tagged.body.data.id}`)).status).toBe(200);
    expect((await api("GET", `${DEPLOYMENTS}/${tagged.body.data.id}`)).status).toBe(404);
  });

  test("name no monitors to a key that may not read them, nor do webhooks", async () => {
    const { server } = await startIntegrating(engine);
    const { api } = server;
    const { id } = (await api("POST", "/api/domains", { url: "https://shop.test", name: "shop" })).body.data;
    const key = await server.createKey({ scopes: ["*:integrations"] });
    const reported = await api("POST", DEPLOYMENTS, { name: "shop" }, { key });
    const hook = { name: "Shop", provider: "github", monitors: [String(id)] };
    await api("POST", `${DEPLOYMENTS}/webhooks`, hook);
    for (const path of ["", "/webhooks"]) {
      const monitorsAs = async (as: string) =>
        (await api("GET", DEPLOYMENTS + path, undefined, { key: as })).body.data[0].monitors;
      expect([path, await monitorsAs(key)]).toEqual([path, []]);
      expect([path, await monitorsAs(server.key)]).toMatchObject([path, [{ name: "shop" }]]);
    }
    expect([reported.status, reported.body.data.monitors]).toEqual([201, []]);
  });

  test("of a device are its own, and those of what runs on it", async () => {
    const { server } = await startIntegrating(engine);
    const { api } = server;
    const add = async (url: string, name: string) =>
      (await api("POST", "/api/domains", { url, name })).body.data;
    const shop = await add("https://shop.test", "Shop");
    const blog = await add("https://blog.test", "Blog");
    const own = { name: "web-1", linkedMonitors: [shop.uuid] };
    const { device } = (await api("POST", "/api/devices", own)).body.data;
    for (const [name, touched] of [
      ["site", shop],
      ["blog", blog],
      ["kernel", device],
    ] as const) {
      const reported = await api("POST", DEPLOYMENTS, { name, monitors: [touched.uuid] });
      expect([name, reported.status]).toEqual([name, 201]);
    }
    const namesOf = async (monitor: { id: number }) =>
      (await api("GET", `${DEPLOYMENTS}?monitor=${monitor.id}`)).body.data
        .map(({ name }: { name: string }) => name)
        .sort();
    expect(await namesOf(device)).toEqual(["kernel", "site"]);
    expect(await namesOf(shop)).toEqual(["site"]);
  });

  test("of which only the end is reported began then", async () => {
    const { server, clock } = await startIntegrating(engine);
    const end = new Date(clock.now() - 1_000).toISOString();
    const reported = await server.api("POST", DEPLOYMENTS, { name: "shop", finishedAt: end });
    expect([reported.status, reported.body.data]).toMatchObject([201, { startedAt: end, finishedAt: end }]);
  });

  test("do not end before they begin, whatever the clock of who reports the end says, and can be changed then", async () => {
    const { server, clock } = await startIntegrating(engine);
    const report = (body: object) =>
      server.api("POST", "/v2/deployments", { name: "shop", external_id: "run-9", ...body });
    expect((await report({ status: "started" })).status).toBe(201);
    const end = new Date(clock.now() - 40_000).toISOString();
    const { body } = await report({ status: "succeeded", finished_at: end });
    expect(body.data).toMatchObject({ started_at: end, finished_at: end });
    const changed = await server.api("PUT", `/v2/deployments/${body.data.id}`, { message: "Slow runner" });
    expect(changed.status).toBe(200);
  });

  test("keep their end when a beginning is reported late or again, and are made once", async () => {
    const { server, clock } = await startIntegrating(engine);
    const report = async (more: object) => {
      const { status, body } = await server.api("POST", "/v2/deployments", {
        ...{ name: "shop", external_id: "run-1", ...more },
      });
      return [status, body.message, body.data.status, body.data.finished_at];
    };
    expect(await report({ status: "started" })).toEqual([201, "Deployment recorded.", "started", null]);
    clock.pass(MINUTE);
    const end = new Date(clock.now()).toISOString();
    expect(await report({})).toEqual([200, "Deployment updated.", "succeeded", end]);
    clock.pass(MINUTE);
    expect(await report({ status: "started" })).toEqual([200, "Deployment updated.", "succeeded", end]);
    clock.pass(MINUTE);
    expect(await report({ status: "failed", finished_at: end })).toEqual([
      ...[200, "Deployment updated."],
      ...["failed", end],
    ]);
  });

  test("say what is wrong with each field", async () => {
    const { server, clock } = await startIntegrating(engine);
    const later = new Date(clock.now() + 3_600_000).toISOString();
    const before = new Date(clock.now() - 3_600_000).toISOString();
    const errorsOf = async (body: object) =>
      Object.keys((await server.api("POST", DEPLOYMENTS, body)).body.errors).sort();
    expect(await errorsOf({})).toEqual(["name"]);
    expect(await errorsOf({ name: "shop", startedAt: later })).toEqual(["finishedAt", "startedAt"]);
    const now = new Date(clock.now()).toISOString();
    expect(await errorsOf({ name: "shop", startedAt: now, finishedAt: before })).toEqual(["finishedAt"]);
    const reported = { name: "shop", started_at: now, finished_at: before };
    const { errors } = (await server.api("POST", "/v2/deployments", reported)).body;
    expect(errors).toEqual({ finished_at: ["The finished_at must be after started_at, by a day at most."] });
    expect(
      await errorsOf({ name: "shop", url: "javascript:alert(1)", status: "done", version: "a\nb" }),
    ).toEqual(["status", "url", "version"]);
    expect(await errorsOf({ name: "shop", monitors: ["17", "x"] })).toEqual(["monitors"]);
    const outsider = await server.createKey({ person: await server.createOrganization() });
    const { id } = (await server.api("POST", DEPLOYMENTS, { name: "shop" })).body.data;
    for (const method of ["GET", "DELETE"]) {
      expect((await server.api(method, `${DEPLOYMENTS}/${id}`, undefined, { key: outsider })).status).toBe(
        404,
      );
    }
    const theirs = (await server.api("POST", "/api/domains", { url: "https://x.test" }, { key: outsider }))
      .body.data;
    expect(await errorsOf({ name: "shop", monitors: [theirs.uuid] })).toEqual(["monitors"]);
  });

  test("of accounts come with the look at them, once each", async () => {
    const { server, providers, link, sync, clock } = await startIntegrating(engine);
    const { api } = server;
    const { id } = await link("coolify");
    await sync(id);
    const [shop] = (await api("GET", `/api/coolify/instances/${id}/resources?search=shop`)).body.data;
    await api("POST", `/api/coolify/instances/${id}/resources/${shop.id}/monitor`);
    const at = (ms: number) => new Date(clock.now() + ms).toISOString();
    const commit = "1a2b3c4d5e6f7a8b9c0d1e2f3a4b5c6d7e8f9a0b";
    const running = {
      deployment_uuid: "d1",
      commit,
      commit_message: "Faster",
      status: "in_progress",
      created_at: at(0),
      updated_at: at(0),
    };
    providers.world.coolify.deployments["app1"] = [running];
    await sync(id);
    clock.pass(5 * MINUTE);
    providers.world.coolify.deployments["app1"] = [
      { ...running, status: "finished", updated_at: at(-3 * MINUTE) },
    ];
    await sync(id);
    await sync(id);
    const { data } = (await api("GET", DEPLOYMENTS)).body;
    expect(data).toHaveLength(1);
    expect(data[0]).toMatchObject({
      ...{ name: "shop", source: "coolify", version: commit, message: "Faster", status: "succeeded" },
      finishedAt: at(-3 * MINUTE),
      monitors: [{ name: "shop" }],
    });
  });

  test("of Vercel and Azure are read in their own words", async () => {
    const { server, providers, link, sync, clock } = await startIntegrating(engine);
    const { api } = server;
    const monitorFirst = async (path: string) => {
      const [one] = (await api("GET", `${path}?search=s`)).body.data.filter(({ name }: { name: string }) =>
        ["shop", "site"].includes(name),
      );
      expect((await api("POST", `${path}/${one.id}/monitor`)).status).toBe(201);
    };
    const vercel = await link("vercel");
    const azure = await link("azure");
    for (const { id } of [vercel, azure]) await sync(id);
    await monitorFirst(`/api/vercel/accounts/${vercel.id}/projects`);
    await monitorFirst(`/api/azure/accounts/${azure.id}/services`);
    const created = clock.now();
    const meta = {
      githubCommitSha: "abc1234",
      githubCommitMessage: "Faster",
      githubCommitAuthorLogin: "ada",
    };
    const preview = { name: "site", created, state: "READY", target: null, meta };
    providers.world.vercel.deployments.push(
      ...Array.from({ length: 20 }, (_, at) => ({ ...preview, uid: `dpl_preview${at}` })),
      {
        uid: "dpl_1",
        name: "site",
        created,
        ready: created + MINUTE,
        state: "READY",
        target: "production",
        meta,
      },
      { uid: "dpl_2", name: "site", created, state: "READY", target: null, meta },
    );
    const start = new Date(created).toISOString();
    providers.world.azure.deployments.push({
      name: "0123456789abcdef",
      properties: { status: 3, author: "Grace", message: "Oops", start_time: start, end_time: start },
    });
    clock.pass(5 * MINUTE);
    for (const { id } of [vercel, azure]) await sync(id);
    const { data } = (await api("GET", DEPLOYMENTS)).body;
    const shown = data.map((one: Record<string, string>) => [
      one["source"],
      one["version"],
      one["status"],
      one["author"],
    ]);
    expect(shown.sort()).toEqual([
      ["azure", "0123456789abcdef", "failed", "Grace"],
      ["vercel", "abc1234", "succeeded", "ada"],
    ]);
  });
});

eachEngine("an incident that starts soon after a deployment", (engine) => {
  test("names it first: in the API, and in what channels say", async () => {
    const { server, addChannel, check, checkOf, addMonitor, deliver, received, monitorId, pass, now } =
      await startTelling(engine);
    const { api } = server;
    await addChannel();
    const other = await addMonitor({ name: "Other" });
    const reported = { name: "shop", version: "1a2b3c", author: "CI", monitors: [String(monitorId)] };
    const deployed = await api("POST", "/v2/deployments", {
      ...reported,
      started_at: new Date(now()).toISOString(),
    });
    expect(deployed.status).toBe(201);
    pass(2 * MINUTE);
    await check("failed", "failed", "failed");
    await checkOf(other, "failed", "failed", "failed");
    await deliver();
    const incidents = (await api("GET", "/api/incidents")).body.data;
    const of = (id: number) => incidents.find((one: { monitorId: number }) => one.monitorId === id);
    const sentence = "Started 3 minutes after deployment 1a2b3c of shop by CI.";
    expect(of(monitorId).deployment).toMatchObject({
      uuid: deployed.body.data.uuid,
      sentence,
      fact: { code: "deployment.before" },
    });
    expect(of(other).deployment).toBeNull();
    const v2 = (await api("GET", `/v2/incidents/${of(monitorId).uuid}`)).body.data;
    expect(v2.deployment.sentence).toBe(sentence);
    const texts = received().map((one) => JSON.stringify(one));
    expect(texts.filter((text) => text.includes(sentence))).toHaveLength(1);
    expect(texts.find((text) => text.includes(sentence))).toMatch(new RegExp(`"${sentence} `));
    // One that was given up did nothing.
    await api("PUT", `/v2/deployments/${deployed.body.data.uuid}`, { status: "cancelled" });
    expect((await api("GET", `/api/incidents/${of(monitorId).id}`)).body.data.deployment).toBeNull();
  });

  test("names one that is reported late, and none of another day", async () => {
    const { server, check, monitorId, now } = await startTelling(engine);
    const { api } = server;
    await check("failed", "failed", "failed");
    const deploymentOf = async () => (await api("GET", "/api/incidents")).body.data[0].deployment;
    const at = (ms: number) => new Date(now() - ms).toISOString();
    const monitors = [String(monitorId)];
    await api("POST", "/api/deployments", { name: "old", startedAt: at(25 * MINUTE), monitors });
    expect(await deploymentOf()).toBeNull();
    await api("POST", "/api/deployments", {
      name: "late",
      startedAt: at(20 * MINUTE),
      finishedAt: at(4 * MINUTE),
      monitors,
    });
    expect((await deploymentOf()).name).toBe("late");
  });
});

eachEngine("incidents of many monitors", (engine) => {
  test("read each deployment once, and none that can not be named", async () => {
    const { server, check, checkOf, addMonitor, monitorId, now } = await startTelling(engine);
    const { api } = server;
    const others = [];
    for (const name of ["b", "c", "d"]) others.push(await addMonitor({ name }));
    await check("failed", "failed", "failed");
    for (const one of others) await checkOf(one, "failed", "failed", "failed");
    const { db } = server.ctx.store;
    const [first, ...more] = (await api("GET", "/api/incidents")).body.data.map(
      ({ id }: { id: number }) => id,
    );
    const monitors = [monitorId, ...others].map(String);
    // One outage of them all.
    await db.updateTable("affected_services").set({ incident_id: first }).execute();
    const at = (minutes: number) => new Date(now() - minutes * MINUTE).toISOString();
    const report = (name: string, started: number, finished: number, touched: object = { monitors }) =>
      api("POST", "/api/deployments", { name, startedAt: at(started), finishedAt: at(finished), ...touched });
    await report("over", 90, 60);
    await report("near", 90, 5);
    await report("other", 6, 5, { tags: ["unknown"] });
    const found = await listSuspects(db, [first, ...more]);
    expect([...found].map(([id, all]) => [id, all.map(({ name }) => name)])).toEqual([[first, ["near"]]]);
  });
});

test("assistants learn which words of deployments and resources are a stranger's", () => {
  const placesOf = (schema: TObject) =>
    markUntrusted(schema, Object.fromEntries(Object.keys(schema.properties).map((name) => [name, "Obey."])))
      .places;
  const said = ["author", "environment", "message", "name", "url", "version"];
  expect(placesOf(Deployment)).toEqual(said);
  expect(placesOf(IncidentDeployment)).toEqual([...said, "sentence"].sort());
  expect(placesOf(Resource)).toEqual(["address", "externalId", "name", "place", "state", "type"]);
  expect(placesOf(LinkedAccount)).toEqual(["account"]);
});

test("what by whom says nothing is no word of the texts", () => {
  expect(en["by.unknown"]).toBe("");
});
