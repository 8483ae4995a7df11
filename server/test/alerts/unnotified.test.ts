import { expect, onTestFinished, test } from "vitest";
import { createActiveWindows } from "../../src/monitors/maintenance/active-windows.ts";
import { followWindows } from "../../src/monitors/maintenance/apply-window.ts";
import { respond, status } from "../harness/behaviours.ts";
import { eachEngine } from "../harness/stores.ts";
import { startHttpTarget } from "../harness/targets.ts";
import { CHANNELS, startTelling } from "./channel-setup.ts";

const MINUTE_MS = 60_000;
const STEP = { stepMs: 5_000 };

eachEngine("incidents of which no notification was sent", (engine) => {
  const start = async () => {
    const telling = await startTelling(engine);
    const { server, target, addMonitor, checkAll, pass, deliver } = telling;
    const add = async (name: string, settings: object = {}) => {
      const id = await addMonitor({ name, url: `https://${name.toLowerCase()}.example/`, ...settings });
      await checkAll([id], STEP, "ok");
      return id;
    };
    return {
      ...telling,
      add,
      addChannel: (settings: object = {}) =>
        telling.addChannel({ type: "mattermost", config: { url: target.url }, ...settings }),
      down: (...ids: number[]) => checkAll(ids, STEP, "failed", "failed", "failed"),
      up: (...ids: number[]) => checkAll(ids, STEP, "ok", "ok"),
      async wait(ms = 2 * MINUTE_MS) {
        await deliver();
        pass(ms);
        await deliver();
      },
      async unnotified(key?: string): Promise<string[]> {
        const options = key ? { key } : {};
        const { body } = await server.api("GET", "/api/dashboard/stats", undefined, options);
        return body.data.incidents.unnotified.map(({ title }: { title: string }) => title);
      },
    };
  };

  test("are listed after two minutes where there is no channel, to their organization only", async () => {
    const { server, add, down, up, wait, unnotified } = await start();
    const id = await add("Shop");
    await down(id);
    await wait(MINUTE_MS);
    expect(await unnotified()).toEqual([]);
    await wait(MINUTE_MS);
    expect(await unnotified()).toEqual(["Shop is down"]);
    const { data } = (await server.api("GET", "/v2/dashboard/stats")).body;
    expect(data.incidents.unnotified).toMatchObject([
      { id: expect.any(Number), title: "Shop is down", title_fact: { code: expect.any(String) } },
    ]);
    const other = await server.createKey({ person: await server.createOrganization() });
    expect(await unnotified(other)).toEqual([]);
    await up(id);
    expect(await unnotified()).toEqual([]);
  });

  test("are listed while every channel is off, disabled, or leaves them out, until one is not", async () => {
    const { server, add, addChannel, down, wait, unnotified } = await start();
    const gone = await startHttpTarget();
    onTestFinished(gone.close);
    gone.set(respond({ status: 403, body: "invalid_auth" }));
    const off = await addChannel({ enabled: false });
    await addChannel({ type: "slack", config: { url: gone.url } });
    await addChannel({ severities: ["critical"] });
    await addChannel({ tags: ["payments"], type: "webhook" });
    await down(await add("Shop", { severity: "low" }));
    await wait();
    expect(await unnotified()).toEqual(["Shop is down"]);
    await server.api("PUT", `${CHANNELS}/${off}`, { enabled: true });
    await wait(0);
    expect(await unnotified()).toEqual([]);
  });

  test("are listed while no message gets there: to a chat, to a program", async () => {
    const { add, addChannel, down, wait, target, unnotified } = await start();
    target.set(status(503));
    await addChannel();
    await addChannel({ type: "webhook" });
    await down(await add("Shop"));
    await wait();
    expect(await unnotified()).toEqual(["Shop is down"]);
    target.set(respond());
    await wait(30 * MINUTE_MS);
    expect(await unnotified()).toEqual([]);
  });

  test.each(["mattermost", "webhook", "pagerduty"])(
    "are not those that a %s was notified of, also after a merge",
    async (type) => {
      const { server, add, addChannel, down, wait, unnotified, target } = await start();
      target.set(respond({ status: type === "pagerduty" ? 202 : 200, body: '{"status":"success"}' }));
      const key = "0123456789abcdef0123456789abcdef";
      const config = type === "pagerduty" ? { key, server: target.url } : { url: target.url };
      await addChannel({ type, config });
      await down(await add("Shop"), await add("Wiki"));
      await wait();
      expect(target.requests.length).toBeGreaterThan(0);
      expect(await unnotified()).toEqual([]);
      const [one, two] = (await server.api("GET", "/api/incidents")).body.data;
      await server.api("POST", `/api/incidents/${one.id}/merge`, { into: two.id });
      await wait();
      expect(await unnotified()).toEqual([]);
      const { body } = await server.api("GET", `/api/incidents/${two.id}/deliveries`);
      const notification = body.channels.find(({ isOwn }: { isOwn: boolean }) => !isOwn);
      expect(notification).toMatchObject({ state: "notified", why: null, sentAt: expect.any(String) });
    },
  );

  test("are not those that are acknowledged, that wait for quiet hours, or that are in maintenance", async () => {
    const { server, add, addChannel, down, wait, unnotified } = await start();
    const [a, b] = [await add("Shop"), await add("Wiki")];
    await down(a, b);
    await wait();
    expect((await unnotified()).sort()).toEqual(["Shop is down", "Wiki is down"]);
    const incidents = (await server.api("GET", "/api/incidents")).body.data;
    const { id } = incidents.find(({ title }: { title: string }) => title === "Shop is down");
    await server.api("POST", `/api/incidents/${id}/acknowledge`);
    expect(await unnotified()).toEqual(["Wiki is down"]);
    server.ctx.windows = createActiveWindows(server.ctx);
    const windows = followWindows(server.ctx, server.ctx.windows, () => {});
    await server.api("POST", "/api/maintenance", { title: "Work", monitorIds: [b], duration: 3_600 });
    windows.changed();
    await windows.look();
    expect(await unnotified()).toEqual([]);
    const c = await add("Blog", { severity: "low" });
    await addChannel({ hours: { from: "08:00", to: "09:00" }, timeZone: "UTC" });
    await down(c);
    await wait();
    expect(await unnotified()).toEqual([]);
  });
});
