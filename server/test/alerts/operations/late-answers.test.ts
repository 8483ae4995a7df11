import { expect, onTestFinished, test } from "vitest";
import { type Behaviour, respond, status } from "../../harness/behaviours.ts";
import { type EngineName, eachEngine } from "../../harness/stores.ts";
import { startHttpTarget, type Target } from "../../harness/targets.ts";
import { CHANNELS, startTelling } from "../channel-setup.ts";

const SETTINGS = "/api/notifications/settings";

// The machine may be busy, and each starts a server or two.
const options = { timeout: 90_000 };

/** The target answers no request before `answer` is called; `requested`: one has come in. */
function answersLate(target: Target, behaviour: Behaviour) {
  const [requested, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  target.set((socket, request) => {
    requested.resolve();
    void answered.promise.then(() => behaviour(socket, request));
  });
  return { requested: requested.promise, answer: answered.resolve };
}

/** An organization with a notification, and another server that may send it instead. */
async function start(engine: EngineName) {
  const telling = await startTelling(engine);
  const other = await startHttpTarget();
  onTestFinished(other.close);
  /** Sends what is due, and makes a change while `target` has yet to answer. */
  const changeMeanwhile = async (
    behaviour: Behaviour,
    send: () => Promise<unknown>,
    change: () => unknown,
  ) => {
    const { requested, answer } = answersLate(telling.target, behaviour);
    const sending = send();
    await requested;
    await change();
    answer();
    await sending;
  };
  return { ...telling, other, changeMeanwhile };
}

const gone = status(410);
const busy = respond({ status: 429, headers: { "retry-after": "3600" } });

eachEngine("what an address answers once the channel leads elsewhere", (engine) => {
  test("does not turn the channel off", options, async () => {
    const { server, addChannel, check, deliver, other, changeMeanwhile } = await start(engine);
    const path = `${CHANNELS}/${await addChannel({ type: "slack" })}`;
    await check("ok", "ok", "failed", "failed", "failed");
    await changeMeanwhile(gone, deliver, () => server.api("PUT", path, { config: { url: other.url } }));
    const { data } = (await server.api("GET", path)).body;
    expect(data).toMatchObject({ enabled: true, disabledReason: null });
  });

  test("is no reason not to send it to where the channel leads now", options, async () => {
    const { server, addChannel, check, deliver, deliveries, pass, other, changeMeanwhile } =
      await start(engine);
    const id = await addChannel();
    await check("ok", "ok", "failed", "failed", "failed");
    await changeMeanwhile(gone, deliver, () =>
      server.api("PUT", `${CHANNELS}/${id}`, { config: { url: other.url } }),
    );
    expect(await deliveries(id)).toMatchObject([{ state: "waiting", attempts: [{ outcome: "postponed" }] }]);
    pass(6_000);
    await deliver();
    expect(other.requests.map(({ body }) => JSON.parse(body).title)).toEqual(["Shop is down"]);
    expect(await deliveries(id)).toMatchObject([{ event: "monitor.down", state: "sent" }]);
  });

  test("turns it off where the same address was only set again", options, async () => {
    const { server, addChannel, check, deliver, target, changeMeanwhile } = await start(engine);
    const path = `${CHANNELS}/${await addChannel({ type: "slack" })}`;
    await check("ok", "ok", "failed", "failed", "failed");
    await changeMeanwhile(gone, deliver, () =>
      server.api("PUT", path, { name: "Renamed", config: { url: target.url } }),
    );
    expect((await server.api("GET", path)).body.data).toMatchObject({ name: "Renamed", enabled: false });
  });

  test("does not turn a person's own off", options, async () => {
    const { server, target, check, deliver, other, changeMeanwhile } = await start(engine);
    await server.api("PUT", SETTINGS, { webhookUrl: target.url });
    await check("ok", "ok", "failed", "failed", "failed");
    const set = () => server.api("PUT", SETTINGS, { webhookUrl: other.url });
    await changeMeanwhile(gone, deliver, set);
    const { targets } = (await server.api("GET", SETTINGS)).body.data;
    expect(targets).toMatchObject([{}, { type: "webhook", problem: null }]);
    await check("ok", "ok", "ok", "failed", "failed", "failed");
    await deliver();
    expect(other.requests).not.toEqual([]);
  });

  test("requests no pause of it, neither by a message nor by a test", options, async () => {
    const { server, addChannel, addMonitor, check, checkOf, deliver, target, other, changeMeanwhile } =
      await start(engine);
    const id = await addChannel({ type: "discord", config: { url: target.url } });
    const path = `${CHANNELS}/${id}`;
    await check("ok", "ok", "failed", "failed", "failed");
    const lead = (url: string) => server.api("PUT", path, { config: { url } });
    await changeMeanwhile(busy, deliver, () => lead(other.url));
    const second = await addMonitor();
    await checkOf(second, "ok", "ok", "failed", "failed", "failed");
    await deliver();
    expect(other.requests).not.toEqual([]);

    await lead(target.url);
    const spent = { "x-ratelimit-remaining": "0", "x-ratelimit-reset-after": "3600" };
    const tests = () => server.api("POST", `${path}/test`);
    const received = other.requests.length;
    await changeMeanwhile(respond({ body: '{"id": "1"}', headers: spent }), tests, () => lead(other.url));
    await checkOf(second, "ok", "ok", "ok");
    await deliver();
    expect(other.requests.length).toBeGreaterThan(received);
  });

  test(
    "before that holds a person's own no longer; the pause stays while it is the same address",
    options,
    async () => {
      const { server, target, addMonitor, check, checkOf, deliver, other } = await start(engine);
      const set = async (webhookUrl: string) =>
        expect((await server.api("PUT", SETTINGS, { webhookUrl })).status).toBe(200);
      await set(target.url);
      target.set(busy);
      await check("ok", "ok", "failed", "failed", "failed");
      await deliver();
      await set(target.url);
      await checkOf(await addMonitor(), "ok", "ok", "failed", "failed", "failed");
      await deliver();
      expect(target.requests).toHaveLength(1);
      await set(other.url);
      await deliver();
      expect(other.requests).not.toEqual([]);
    },
  );
});
