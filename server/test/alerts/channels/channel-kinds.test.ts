import { expect, test } from "vitest";
import { channelKinds } from "../../../src/alerts/channels/registry.ts";
import { hang, redirect, respond } from "../../harness/behaviours.ts";
import { startHttpTarget, type Target } from "../../harness/targets.ts";
import { CHANNELS, startTelling } from "../channel-setup.ts";
import { CASES, type HttpType } from "./channel-cases.ts";

const types = Object.keys(CASES) as HttpType[];

test("every kind has its case", () => {
  expect([...types, "email"].sort()).toEqual(Object.keys(channelKinds).sort());
});

const said = (target: Target, at: number): object => JSON.parse(target.requests[at]?.body ?? "null");

/** What differs from run to run. */
const steady = (path: string | undefined) =>
  path?.replace(/vedette-[\w-]+/, "ALIAS").replace(/(m\.room\.message\/)[\w-]+/, "$1ID");

test.each(types)("%s is notified of an outage and its end as it wants to be", async (type) => {
  const { config, takes = {}, down, up = {} } = CASES[type];
  const { addChannel, check, deliver, target } = await startTelling("sqlite");
  target.set(respond(takes));
  await addChannel({ type, config: config(target.url) });
  await check("ok", "ok", "failed", "failed", "failed");
  await deliver();
  const [first] = target.requests;
  expect([first?.method, steady(first?.path)]).toEqual([down.method ?? "POST", down.path]);
  if (typeof down.body === "string") expect(first?.body).toContain(down.body);
  else expect(said(target, 0)).toMatchObject(down.body);
  expect(first?.body).toMatch(/connection.was.refused/);
  await check("ok", "ok", "ok");
  await deliver();
  const second = target.requests[1];
  const expected = [up.method ?? down.method ?? "POST", up.path ?? down.path];
  expect([second?.method, steady(second?.path)]).toEqual(expected);
  if (typeof up.body === "object") expect(said(target, 1)).toMatchObject(up.body);
  expect(target.requests).toHaveLength(2);
});

test.each(types)("%s's refusals, pauses and failures are distinguished", async (type) => {
  const { config, ends = { status: 410, body: "gone" } } = CASES[type];
  const { addChannel, check, deliver, deliveries, target, server, pass } = await startTelling("sqlite");
  const id = await addChannel({ type, config: config(target.url) });
  // Of a server that people run themselves only a day of such answers counts.
  const isBare = ["webhook", "mattermost", "ntfy", "gotify"].includes(type);
  const steps = [
    [{ status: 500, body: "oops" }, "delivery.failed"],
    [{ status: 429, headers: { "retry-after": "1" } }, "delivery.busy"],
    [ends, isBare ? "delivery.failed" : "delivery.ended"],
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
  const stateOf = async () => {
    const { data } = (await server.api("GET", `${CHANNELS}/${id}`)).body;
    return [data.enabled, data.disabledReasonFact?.code];
  };
  if (!isBare) return expect(await stateOf()).toEqual([false, "delivery.ended"]);
  expect(await stateOf()).toEqual([true, undefined]);
  // Refused for a day in a row: the message of that day is given up, the next one is refused, too.
  for (let hours = 0; hours <= 25; hours += 1) {
    pass(3_600_000);
    await deliver();
  }
  expect(await stateOf()).toEqual([false, "delivery.failed"]);
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

test.each(["pagerduty", "opsgenie"] as const)(
  "all of an outage is one alert at %s, and the next is another",
  async (type) => {
    const { addChannel, check, deliver, target } = await startTelling("sqlite");
    target.set(respond(CASES[type].takes));
    await addChannel({ type, config: CASES[type].config(target.url) });
    for (let outage = 0; outage < 2; outage += 1) {
      await check("ok", "ok", "failed", "failed", "failed");
      await deliver();
      await check("ok", "ok", "ok");
      await deliver();
    }
    const alerts = target.requests.map(({ path, body }) => {
      const { dedup_key: key, alias } = JSON.parse(body);
      return key ?? alias ?? path.split("/")[3];
    });
    expect(alerts).toEqual([alerts[0], alerts[0], alerts[2], alerts[2]]);
    expect(alerts[2]).not.toBe(alerts[0]);
  },
);

test("no kind takes the address of a server with a query or a fragment, which would swallow what is added to it", async () => {
  const { server } = await startTelling("sqlite");
  const withServer = types.filter((type) => "server" in CASES[type].config("https://there.example/"));
  expect(withServer.length).toBeGreaterThan(5);
  for (const type of withServer) {
    const config = CASES[type].config("https://there.example/?next=");
    const { status, body } = await server.api("POST", CHANNELS, { name: type, type, config });
    expect([type, status, body.facts?.["config.server"]?.[0].code]).toEqual([type, 422, "url.no_query"]);
  }
});
