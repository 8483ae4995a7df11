import { expect, test } from "vitest";
import { type ChannelType, channelKinds } from "../../src/notification/channel/registry.ts";
import { hang, redirect, respond } from "../harness/behaviours.ts";
import { startHttpTarget, type Target } from "../harness/targets.ts";
import { CHANNELS, startTelling } from "./channel-setup.ts";

type HttpType = Exclude<ChannelType, "email">;

interface KindCase {
  config(url: string): object;
  /** How the provider answers what it takes. */
  takes?: { status?: number; body?: string };
  /** How it refuses for good, where not by 404. */
  ends?: { status: number; body: string };
  /** What stands in the request that tells of an outage, and where it goes. */
  down: { path: string; body: object | string };
  /** The same of the one that tells of its end, where it is not just another message. */
  up?: { method?: string; path?: string; body?: object };
}

const embed = (title: string) => ({ embeds: [{ title }], allowed_mentions: { parse: [] } });

/** As the providers' published interfaces say. */
const CASES: Record<HttpType, KindCase> = {
  webhook: { config: (url) => ({ url }), down: { path: "/", body: { type: "monitor.down" } } },
  slack: {
    config: (url) => ({ url: `${url}services/T0/B0/token` }),
    takes: { body: "ok" },
    ends: { status: 404, body: "no_service" },
    down: {
      path: "/services/T0/B0/token",
      body: { text: "Shop is down", attachments: [{ color: "#d92d20" }] },
    },
  },
  teams: {
    config: (url) => ({ url: `${url}workflows/1?sig=token` }),
    takes: { status: 202, body: "" },
    down: {
      path: "/workflows/1?sig=token",
      body: { type: "message", attachments: [{ content: { type: "AdaptiveCard", version: "1.4" } }] },
    },
  },
  discord: {
    config: (url) => ({ url: `${url}api/webhooks/1/token` }),
    takes: { body: '{"id": "815"}' },
    ends: { status: 404, body: '{"message": "Unknown Webhook", "code": 10015}' },
    down: { path: "/api/webhooks/1/token?wait=true", body: embed("Shop is down") },
    up: { method: "PATCH", path: "/api/webhooks/1/token/messages/815", body: embed("Shop is up again") },
  },
  telegram: {
    config: (url) => ({ token: "12:token", chat: "-100", server: url }),
    takes: { body: '{"ok": true, "result": {"message_id": 42}}' },
    ends: { status: 400, body: '{"ok": false, "description": "Bad Request: chat not found"}' },
    down: { path: "/bot12:token/sendMessage", body: { chat_id: "-100" } },
    up: { body: { reply_parameters: { message_id: 42, allow_sending_without_reply: true } } },
  },
  mattermost: {
    config: (url) => ({ url: `${url}hooks/token` }),
    takes: { body: "ok" },
    down: { path: "/hooks/token", body: { attachments: [{ title: "Shop is down", color: "#d92d20" }] } },
  },
  ntfy: {
    config: (url) => ({ topic: "oncall", token: "tk_token", server: url }),
    takes: { body: '{"id": "x"}' },
    ends: { status: 403, body: '{"code": 40301, "error": "forbidden"}' },
    down: { path: "/", body: { topic: "oncall", title: "Shop is down", priority: 5 } },
  },
  gotify: {
    config: (url) => ({ token: "app-token", server: url }),
    takes: { body: '{"id": 1}' },
    ends: { status: 401, body: '{"error": "Unauthorized"}' },
    down: { path: "/message", body: { title: "Shop is down", priority: 8 } },
  },
  pushover: {
    config: (url) => ({ token: "app-token", user: "user-token", server: url }),
    takes: { body: '{"status": 1}' },
    ends: { status: 400, body: '{"token": "invalid", "status": 0}' },
    down: { path: "/1/messages.json", body: "token=app-token&user=user-token&title=Shop+is+down" },
  },
  pagerduty: {
    config: (url) => ({ key: "routing-token", server: url }),
    takes: { status: 202, body: '{"status": "success"}' },
    ends: { status: 400, body: '{"status": "invalid event", "errors": ["Invalid routing key"]}' },
    down: { path: "/v2/enqueue", body: { event_action: "trigger", payload: { severity: "error" } } },
    up: { body: { event_action: "resolve" } },
  },
};

const types = Object.keys(CASES) as HttpType[];

test("every kind has its case", () => {
  expect([...types, "email"].sort()).toEqual(Object.keys(channelKinds).sort());
});

const said = (target: Target, at: number): object => JSON.parse(target.requests[at]?.body ?? "null");

test.each(types)("%s is told of an outage and its end as it wants to be", async (type) => {
  const { config, takes = {}, down, up = {} } = CASES[type];
  const { addChannel, check, deliver, target } = await startTelling("sqlite");
  target.set(respond(takes));
  await addChannel({ type, config: config(target.url) });
  await check("ok", "ok", "failed", "failed", "failed");
  await deliver();
  const [first] = target.requests;
  expect([first?.method, first?.path]).toEqual(["POST", down.path]);
  if (typeof down.body === "string") expect(first?.body).toContain(down.body);
  else expect(said(target, 0)).toMatchObject(down.body);
  expect(first?.body).toMatch(/connection.was.refused/);
  await check("ok", "ok", "ok");
  await deliver();
  const second = target.requests[1];
  expect([second?.method, second?.path]).toEqual([up.method ?? "POST", up.path ?? down.path]);
  if (up.body) expect(said(target, 1)).toMatchObject(up.body);
  expect(target.requests).toHaveLength(2);
});

test.each(types)("%s's refusals, pauses and failures are told apart", async (type) => {
  const { config, ends = { status: 410, body: "gone" } } = CASES[type];
  const { addChannel, check, deliver, deliveries, target, server, pass } = await startTelling("sqlite");
  const id = await addChannel({ type, config: config(target.url) });
  const steps = [
    [{ status: 500, body: "oops" }, "delivery.failed"],
    [{ status: 429, headers: { "retry-after": "1" } }, "delivery.busy"],
    [ends, "delivery.ended"],
  ] as const;
  await check("ok", "ok", "failed", "failed", "failed");
  for (const [answer] of steps) {
    target.set(respond(answer));
    await deliver();
    pass(120_000);
  }
  const [delivery] = await deliveries(id);
  expect(delivery?.attempts.map(({ saidFact }) => saidFact.code)).toEqual(steps.map(([, code]) => code));
  expect(JSON.stringify(delivery)).not.toMatch(/[-/:=]token\b/);
  const { data } = (await server.api("GET", `${CHANNELS}/${id}`)).body;
  expect([data.enabled, data.disabledReasonFact?.code]).toEqual([false, "delivery.ended"]);
});

test("no kind follows a redirect to the inside, nor waits for ever", { timeout: 60_000 }, async () => {
  const { addChannel, server, target, deliveries } = await startTelling("sqlite");
  const inside = await startHttpTarget();
  const hanging = await startHttpTarget({ handler: hang });
  target.set(redirect(inside.url, 307));
  const codesOf = async (url: string) =>
    Promise.all(
      types.map(async (type) => {
        const id = await addChannel({ type, config: CASES[type].config(url) });
        await server.api("POST", `${CHANNELS}/${id}/test`);
        const [delivery] = await deliveries(id);
        return delivery?.attempts[0]?.saidFact.code;
      }),
    );
  expect(new Set(await codesOf(target.url))).toEqual(new Set(["delivery.redirect"]));
  expect(inside.requests).toEqual([]);
  expect(new Set(await codesOf(hanging.url))).toEqual(new Set(["delivery.unreached"]));
  await Promise.all([inside.close(), hanging.close()]);
});

test("a message that was deleted over there is written anew", async () => {
  const { addChannel, check, deliver, target, deliveries } = await startTelling("sqlite");
  target.set(respond({ body: '{"id": "815"}' }));
  const id = await addChannel({ type: "discord", config: CASES.discord.config(target.url) });
  await check("ok", "ok", "failed", "failed", "failed");
  await deliver();
  const gone = respond({ status: 404, body: '{"message": "Unknown Message", "code": 10008}' });
  const taken = respond({ body: '{"id": "816"}' });
  target.set((socket, request) => (request.method === "PATCH" ? gone : taken)(socket, request));
  await check("ok", "ok", "ok");
  await deliver();
  expect(target.requests.map(({ method }) => method)).toEqual(["POST", "PATCH", "POST"]);
  expect((await deliveries(id)).map(({ state }) => state)).toEqual(["sent", "sent"]);
});
