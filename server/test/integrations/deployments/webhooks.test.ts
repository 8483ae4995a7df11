import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { eachEngine } from "../../harness/stores.ts";
import { startIntegrating } from "../setup.ts";

const WEBHOOKS = "/api/deployments/webhooks";
const MINUTE = 60_000;

type Setup = Awaited<ReturnType<typeof startIntegrating>>;

async function webhook({ server }: Setup, body: object) {
  const made = await server.api("POST", WEBHOOKS, { name: "Shop", ...body });
  expect(made.status).toBe(201);
  return made.body.data as { id: number; uuid: string; url: string; secret: string };
}

/** GitHub's deployment_status, as it documents it. */
const githubBody = (state: string, at: number, more: object = {}) =>
  JSON.stringify({
    action: "created",
    deployment: {
      ...{ id: 145988746, sha: "f95f852bd8fca8fcc58a9a2d6c842781e32a215e", ref: "main", task: "deploy" },
      ...{ environment: "production", description: "Ship it", creator: { login: "ada" } },
      created_at: new Date(at - MINUTE).toISOString(),
    },
    deployment_status: {
      ...{ id: 1, state, description: "", target_url: "https://ci.example/1" },
      created_at: new Date(at).toISOString(),
    },
    repository: { id: 7, name: "shop", full_name: "acme/shop" },
    ...more,
  });

const signed = (body: string, secret: string) =>
  `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;

const sendGithub = (
  { server }: Setup,
  { uuid, secret }: { uuid: string; secret: string },
  body: string,
  headers: Record<string, string> = {},
) =>
  server.api("POST", `/api/webhooks/deployments/${uuid}`, body, {
    key: null,
    headers: {
      "x-github-event": "deployment_status",
      "x-hub-signature-256": signed(body, secret),
      ...headers,
    },
  });

const listed = async ({ server }: Setup) => (await server.api("GET", "/api/deployments")).body.data;

eachEngine("webhooks of forges", (engine) => {
  test("GitHub reports a deployment, and what becomes of it", async () => {
    const setup = await startIntegrating(engine);
    const { server, clock } = setup;
    const shop = (await server.api("POST", "/api/domains", { url: "https://shop.test", name: "Front" })).body
      .data;
    const own = await webhook(setup, { provider: "github", monitors: [shop.id] });
    expect(own.url).toBe(`https://vedette.test/api/webhooks/deployments/${own.uuid}`);
    const ping = await sendGithub(setup, own, '{"zen":"Keep it simple."}', { "x-github-event": "ping" });
    expect([ping.status, ping.body.data.recorded]).toEqual([200, false]);
    const running = githubBody("in_progress", clock.now());
    expect((await sendGithub(setup, own, running)).body.data.recorded).toBe(true);
    clock.pass(MINUTE);
    const done = githubBody("success", clock.now());
    expect((await sendGithub(setup, own, done)).body.data.recorded).toBe(true);
    const expected = {
      ...{
        name: "shop",
        version: "f95f852bd8fca8fcc58a9a2d6c842781e32a215e",
        environment: "production",
        author: "ada",
      },
      ...{ status: "succeeded", source: "github", finishedAt: new Date(clock.now()).toISOString() },
      monitors: [{ name: "Front" }],
    };
    expect(await listed(setup)).toMatchObject([expected]);
    // The same again, and what was true before: nothing changes.
    for (const old of [done, running, githubBody("failure", clock.now() - MINUTE)]) {
      const again = await sendGithub(setup, own, old, { "x-github-delivery": crypto.randomUUID() });
      expect([again.status, again.body.data.recorded]).toEqual([200, false]);
    }
    expect(await listed(setup)).toMatchObject([expected]);
  });

  test("what they and pipelines call a deployment turns no text around it", async () => {
    const setup = await startIntegrating(engine);
    const { server, clock } = setup;
    const own = await webhook(setup, { provider: "github" });
    const hostile = githubBody("success", clock.now(), { repository: { id: 7, name: "sh\u202eop\u200b" } });
    await sendGithub(setup, own, hostile.replace('"ada"', '"a\u2067da"'));
    expect(await listed(setup)).toMatchObject([{ name: "shop", author: "ada" }]);
    const reported = {
      name: "bl\u202eog",
      version: "1\u2066a",
      author: "\u202ebob 👩‍🚀",
      message: "f\u00adast",
    };
    const made = await server.api("POST", "/api/deployments", reported);
    const clean = { name: "blog", version: "1a", author: "bob 👩‍🚀", message: "fast" };
    expect(made.body.data).toMatchObject(clean);
    const path = `/api/deployments/${made.body.data.id}`;
    const changed = await server.api("PUT", path, { message: "sl\u202eow" });
    expect(changed.body.data).toMatchObject({ ...clean, message: "slow" });
  });

  test("GitLab reports one, by its token or by a signature", async () => {
    const setup = await startIntegrating(engine);
    const { server, clock } = setup;
    const at = new Date(clock.now())
      .toISOString()
      .replace("T", " ")
      .replace(/\.\d+Z/, " +0000");
    const body = JSON.stringify({
      ...{ object_kind: "deployment", status: "success", status_changed_at: at, deployment_id: 15 },
      ...{ environment: "staging", short_sha: "279484c0", user: { name: "Ada Lovelace", username: "ada" } },
      project: { id: 30, name: "test-deployment-webhooks", path_with_namespace: "root/test" },
      ...{
        commit_url: "http://gitlab.test/root/test/-/commit/279484c09fbe69ededfced8c1bb6e6d24616b468",
        commit_title: "Add",
      },
    });
    const send = (uuid: string, headers: Record<string, string>) =>
      server.api("POST", `/api/webhooks/deployments/${uuid}`, body, {
        key: null,
        headers: { "x-gitlab-event": "Deployment Hook", ...headers },
      });
    const plain = await webhook(setup, { provider: "gitlab" });
    expect((await send(plain.uuid, { "x-gitlab-token": "wrong" })).status).toBe(401);
    expect((await send(plain.uuid, {})).status).toBe(401);
    expect((await send(plain.uuid, { "x-gitlab-token": plain.secret })).body.data.recorded).toBe(true);
    expect(await listed(setup)).toMatchObject([
      {
        version: "279484c09fbe69ededfced8c1bb6e6d24616b468",
        author: "Ada Lovelace",
        message: "Add",
        environment: "staging",
      },
    ]);
    const secret = `whsec_${Buffer.alloc(24, 5).toString("base64")}`;
    const signing = await webhook(setup, { provider: "gitlab", secret });
    const time = String(Math.floor(clock.now() / 1000));
    const made = createHmac("sha256", Buffer.alloc(24, 5)).update(`msg_1.${time}.${body}`).digest("base64");
    const headers = {
      "webhook-id": "msg_1",
      "webhook-timestamp": time,
      "webhook-signature": `v1,x v1,${made}`,
    };
    expect((await send(signing.uuid, { ...headers, "webhook-id": "msg_2" })).status).toBe(401);
    expect((await send(signing.uuid, { "x-gitlab-token": secret })).status).toBe(401);
    expect((await send(signing.uuid, headers)).body.data.recorded).toBe(true);
    clock.pass(6 * MINUTE);
    expect((await send(signing.uuid, headers)).status).toBe(401);
  });

  test("are refused without the right signature over the very bytes", async () => {
    const setup = await startIntegrating(engine);
    const { server, clock } = setup;
    const own = await webhook(setup, { provider: "github" });
    const body = githubBody("success", clock.now());
    const right = signed(body, own.secret);
    for (const signature of [
      signed(body, "another secret"),
      right.toUpperCase(),
      right.slice(0, -1),
      "",
      "sha1=00",
    ]) {
      const answer = await sendGithub(setup, own, body, { "x-hub-signature-256": signature });
      expect([signature, answer.status]).toEqual([signature, 401]);
    }
    expect((await sendGithub(setup, own, `${body} `, { "x-hub-signature-256": right })).status).toBe(401);
    const { data } = (await server.api("GET", `${WEBHOOKS}/${own.id}`)).body;
    expect(data.lastFailureFact.code).toBe("deployment.signature");
    expect(await listed(setup)).toEqual([]);
    expect((await sendGithub(setup, own, "no JSON")).status).toBe(422);
    expect((await sendGithub(setup, own, "[]")).status).toBe(422);
    expect((await sendGithub(setup, own, `"${"x".repeat(1 << 20)}"`)).status).toBe(413);
    const unknown = { ...own, uuid: "0190b6a4-7f4b-7c3a-9c61-2f5f1f0c7b11" };
    expect((await sendGithub(setup, unknown, body)).status).toBe(404);
  });

  test("of GitHub take its default content type as well", async () => {
    const setup = await startIntegrating(engine);
    const own = await webhook(setup, { provider: "github" });
    const type = { "content-type": "application/x-www-form-urlencoded" };
    const send = (body: string) => sendGithub(setup, own, body, type);
    const form = new URLSearchParams({ payload: githubBody("success", setup.clock.now()) });
    expect((await send(String(form))).body.data.recorded).toBe(true);
    expect(await listed(setup)).toMatchObject([{ name: "shop", message: "Ship it" }]);
    for (const other of ["payload=no+JSON", "other={}", "payload="]) {
      expect([other, (await send(other)).status]).toEqual([other, 422]);
    }
  });

  test("say what is wrong with what they cannot read, now and in the list", async () => {
    const setup = await startIntegrating(engine);
    const own = await webhook(setup, { provider: "github" });
    const payload = (more: string) => githubBody("success", setup.clock.now()).replace("{", `{${more},`);
    for (const [body, code] of [
      [payload(`"many":[${"1,".repeat(25_000)}1]`), "request.values"],
      [payload(`"wide":{${Array.from({ length: 2_100 }, (_, n) => `"f${n}":1`).join()}}`), "request.keys"],
      [payload(`"deep":${"[".repeat(70)}${"]".repeat(70)}`), "request.deep"],
      [payload(`"nul":"\\u0000"`), "input.nul"],
      [payload(`"__proto__":{}`), "input.reserved_name"],
      ["no JSON", "request.not_json"],
      ["[1]", "request.not_json"],
    ] as const) {
      const answer = await sendGithub(setup, own, body);
      expect([answer.status, answer.body.fact.code]).toEqual([422, code]);
    }
    const [shown] = (await setup.server.api("GET", WEBHOOKS)).body.data;
    expect(JSON.stringify(shown)).toContain("request.not_json");
    // Who sends it comes first: an unknown address and a wrong signature are what they are with any body.
    const sendBytes = async (uuid: string, secret: string) => {
      const body = Buffer.from([0x7b, 0xe4, 0x7d]);
      const signature = `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
      const answer = await fetch(`${setup.server.url}/api/webhooks/deployments/${uuid}`, {
        method: "POST",
        body,
        headers: { "x-github-event": "deployment_status", "x-hub-signature-256": signature },
      });
      const { fact } = (await answer.json()) as { fact: { code: string } };
      return [answer.status, fact.code];
    };
    expect((await sendBytes(crypto.randomUUID(), own.secret))[0]).toBe(404);
    expect(await sendBytes(own.uuid, "wrong")).toEqual([401, "deployment.signature"]);
    expect(await sendBytes(own.uuid, own.secret)).toEqual([422, "request.not_utf8"]);
  });

  test("take only what they are for", async () => {
    const setup = await startIntegrating(engine);
    const { clock } = setup;
    const own = await webhook(setup, { provider: "github", environments: ["Production"] });
    const at = clock.now();
    const staging = githubBody("success", at).replace('"production"', '"staging"');
    expect((await sendGithub(setup, own, staging)).body.data.recorded).toBe(false);
    const old = githubBody("success", at - 31 * 24 * 60 * MINUTE);
    expect((await sendGithub(setup, own, old)).body.data.recorded).toBe(false);
    const ahead = githubBody("success", at + 60 * MINUTE);
    expect((await sendGithub(setup, own, ahead)).body.data.recorded).toBe(false);
    const odd = JSON.stringify({ deployment: [], deployment_status: 7, repository: null });
    expect((await sendGithub(setup, own, odd)).body.data.recorded).toBe(false);
    expect((await sendGithub(setup, own, githubBody("success", at))).body.data.recorded).toBe(true);
  });

  test("store no time that is none, and none that is far ahead", async () => {
    const setup = await startIntegrating(engine);
    const { clock } = setup;
    const own = await webhook(setup, { provider: "github" });
    const at = clock.now();
    const begun = (time: string) =>
      githubBody("success", at).replace(/"created_at":"[^"]+"/, `"created_at":${time}`);
    expect((await sendGithub(setup, own, begun("9000000000000000"))).body.data.recorded).toBe(false);
    expect((await sendGithub(setup, own, begun('"9999-12-31T00:00:00Z"'))).body.data.recorded).toBe(true);
    expect(await listed(setup)).toMatchObject([{ startedAt: new Date(at + 10 * MINUTE).toISOString() }]);
  });

  test("know of a deployment that waited for days when it really began and ended", async () => {
    const setup = await startIntegrating(engine);
    const { clock, server } = setup;
    const shop = (await server.api("POST", "/api/domains", { url: "https://shop.test" })).body.data;
    const own = await webhook(setup, { provider: "github", monitors: [shop.uuid] });
    const made = clock.now();
    const reported = (state: string) =>
      githubBody(state, clock.now()).replace(
        /"created_at":"[^"]+"/,
        `"created_at":"${new Date(made).toISOString()}"`,
      );
    const time = () => new Date(clock.now()).toISOString();
    const created = { "x-github-event": "deployment" };
    expect((await sendGithub(setup, own, reported("pending"), created)).body.data.recorded).toBe(true);
    expect((await sendGithub(setup, own, reported("waiting"))).body.data.recorded).toBe(false);
    clock.pass(50 * 60 * MINUTE);
    expect((await sendGithub(setup, own, reported("in_progress"))).body.data.recorded).toBe(true);
    const startedAt = time();
    clock.pass(3 * MINUTE);
    expect((await sendGithub(setup, own, reported("success"))).body.data.recorded).toBe(true);
    expect(await listed(setup)).toMatchObject([{ status: "succeeded", startedAt, finishedAt: time() }]);
    const moved = server.ctx.store.db.selectFrom("deployment_monitors").select("started_at");
    expect(await moved.execute()).toEqual([{ started_at: Date.parse(startedAt) }]);
    // One of which only beginning and end are reported.
    const late = reported("success").replace("145988746", "2");
    expect((await sendGithub(setup, own, late)).body.data.recorded).toBe(true);
    expect((await listed(setup))[0]).toMatchObject({ startedAt: time(), finishedAt: time() });
  });

  test("whose monitors are gone touch no others that have the name", async () => {
    const setup = await startIntegrating(engine);
    const { clock, server } = setup;
    const add = async (name: string) =>
      (await server.api("POST", "/api/domains", { url: `https://${name}.test`, name })).body.data;
    const gone = await add("gone");
    await add("shop");
    const own = await webhook(setup, { provider: "github", monitors: [gone.uuid] });
    await server.api("DELETE", `/api/domains/${gone.id}`);
    expect((await sendGithub(setup, own, githubBody("success", clock.now()))).body.data.recorded).toBe(true);
    expect(await listed(setup)).toMatchObject([{ name: "shop", monitors: [] }]);
    const hook = await server.api("GET", `${WEBHOOKS}/${own.id}`);
    expect(hook.body.data).toMatchObject({ monitors: [], monitorsGone: 1 });
  });

  test("take no signature by a key of nothing", async () => {
    const setup = await startIntegrating(engine);
    const { clock, server } = setup;
    const own = await webhook(setup, { provider: "gitlab" });
    for (const secret of ["whsec_!!!!!!!!!!!!!!", "whsec_AAAAAAAAAA", "whsec_AAAAAAAAAAAAAAA!"]) {
      const made = await server.api("POST", WEBHOOKS, { name: "Shop", provider: "gitlab", secret });
      const changed = await server.api("PUT", `${WEBHOOKS}/${own.id}`, { secret });
      for (const { status, body } of [made, changed]) {
        expect([secret, status, body.facts?.secret?.[0].code]).toEqual([secret, 422, "deployment.no_key"]);
      }
      // Of GitHub any text is a key.
      await webhook(setup, { provider: "github", secret });
    }
    // What was stored before that request.
    const sealed = setup.server.ctx.secrets.seal("whsec_!!!!!!!!!!!!!!");
    await server.ctx.store.db
      .updateTable("deployment_webhooks")
      .set({ secret: sealed })
      .where("id", "=", own.id)
      .execute();
    const time = String(Math.floor(clock.now() / 1000));
    const made = createHmac("sha256", Buffer.alloc(0)).update(`1.${time}.{}`).digest("base64");
    const headers = { "webhook-id": "1", "webhook-timestamp": time, "webhook-signature": `v1,${made}` };
    const path = `/api/webhooks/deployments/${own.uuid}`;
    expect((await server.api("POST", path, "{}", { key: null, headers })).status).toBe(401);
  });

  test("show their secret once, and end it when it is replaced", async () => {
    const setup = await startIntegrating(engine);
    const { server, clock } = setup;
    const own = await webhook(setup, { provider: "github" });
    const shown = JSON.stringify([
      (await server.api("GET", WEBHOOKS)).body,
      (await server.api("GET", `/v2/deployments/webhooks/${own.uuid}`)).body,
    ]);
    expect(shown).not.toContain(own.secret);
    const { data } = (await server.api("PUT", `/v2/deployments/webhooks/${own.uuid}`, { renew_secret: true }))
      .body;
    expect(data.secret).not.toBe(own.secret);
    const body = githubBody("success", clock.now());
    expect((await sendGithub(setup, own, body)).status).toBe(401);
    expect((await sendGithub(setup, { ...own, secret: data.secret }, body)).status).toBe(200);
    expect((await server.api("DELETE", `${WEBHOOKS}/${own.id}`)).status).toBe(200);
    expect((await sendGithub(setup, { ...own, secret: data.secret }, body)).status).toBe(404);
  });
});
