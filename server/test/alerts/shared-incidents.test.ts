import { expect, test } from "vitest";
import { ingestBatch } from "../../src/app/pipeline.ts";
import { createActiveWindows } from "../../src/monitors/maintenance/active-windows.ts";
import { followWindows } from "../../src/monitors/maintenance/apply-window.ts";
import { failed, probed } from "../app/pipeline/setup.ts";
import { eachEngine } from "../harness/stores.ts";
import { startTelling } from "./channel-setup.ts";
import { openAlerts } from "./open-alerts.ts";

const MINUTE_MS = 60_000;

eachEngine("a channel that is notified of monitors that share an incident", (engine) => {
  async function start(channel: object = {}) {
    const telling = await startTelling(engine);
    const { server, addMonitor, addChannel, pass, now, deliver } = telling;
    const config = { url: telling.target.url };
    const id = await addChannel({ type: "mattermost", config, ...channel });
    const posted = () =>
      telling.received().flatMap((one) => (one["attachments"] as { title: string; text: string }[])[0] ?? []);
    const monitors: number[] = [];
    for (const name of ["a", "b", "c"]) monitors.push(await addMonitor({ name }));
    const [a = 0, b = 0, c = 0] = monitors;
    /** Two results of each, which confirm what they say. */
    const report = async (
      result: typeof failed,
      ids: readonly number[],
      addressOf = (_: number) => "192.0.2.1",
    ) => {
      for (let each = 0; each < 2; each += 1) {
        pass(MINUTE_MS);
        await ingestBatch(
          server.ctx,
          ids.map((one) => result(one, now(), { address: addressOf(one) })),
        );
      }
      await deliver();
    };
    const wait = async (minutes: number) => {
      for (let minute = 0; minute < minutes; minute += 1) {
        pass(MINUTE_MS);
        await deliver();
      }
    };
    return { ...telling, posted, id, a, b, c, report, wait, open: () => openAlerts(server) };
  }
  test.each(["pausing", "deleting"])(
    "%s the first one leaves its alert to the others, which are reported up as they are",
    async (how) => {
      const { server, a, b, c, report, posted, open } = await start();
      await report(failed, [a, b, c]);
      expect(posted().map(({ title }) => title)).toEqual(["a, b and c are down"]);
      const path = `/api/domains/${a}`;
      const stopped =
        how === "pausing"
          ? await server.api("PUT", path, { enabled: false })
          : await server.api("DELETE", path);
      expect(stopped.status).toBe(200);
      await report(probed, [b]);
      expect(
        posted()
          .map(({ title }) => title)
          .slice(1),
      ).toEqual(["b is up again"]);
      expect(posted()[1]?.text).toContain("Still down: c.");
      expect(await open()).toEqual([c]);
      await report(probed, [c]);
      expect(
        posted()
          .map(({ title }) => title)
          .slice(2),
      ).toEqual(["c is up again"]);
      expect(posted()[2]?.text).toMatch(/^Up again since .*, after 4 minutes\.$/m);
      expect(posted()[2]?.text).not.toContain("://");
      expect(await open()).toEqual([]);
      const [incident] = (await server.api("GET", "/api/incidents")).body.data;
      expect(incident).toMatchObject({ status: "resolved", monitorId: b });
    },
  );

  test("pausing all of them, one after the other, ends its alert, and sends nothing", async () => {
    const { server, a, b, c, report, posted, deliver, open } = await start();
    await report(failed, [a, b, c]);
    for (const id of [a, b]) await server.api("PUT", `/api/domains/${id}`, { enabled: false });
    await deliver();
    expect(await open()).toEqual([c]);
    await server.api("PUT", `/api/domains/${c}`, { enabled: false });
    await deliver();
    expect(await open()).toEqual([]);
    expect(posted()).toHaveLength(1);
  });

  test("is reminded of many at once in one message, which counts every monitor", async () => {
    const { addMonitor, posted, a, b, c, report, wait } = await start({ reminder: "15m" });
    const shops: number[] = [];
    for (let each = 0; each < 11; each += 1) shops.push(await addMonitor({ name: `Shop ${each}` }));
    const addressOf = (id: number) => (shops.includes(id) ? `198.51.100.${id % 250}` : "192.0.2.1");
    await report(failed, [a, b, c, ...shops], addressOf);
    await wait(16);
    expect(posted().map(({ title }) => title)).toEqual([
      "14 monitors are down",
      "14 monitors are still down",
    ]);
    expect(posted()[1]?.text).toMatch(/^• a \(high severity\): The connection/m);
  });

  test("is sent a digest of each that is down, and of each that came up again", async () => {
    const { a, b, c, addMonitor, report, posted, pass, deliver } = await start({
      hours: { from: "18:00", to: "20:00" },
    });
    const alone = await addMonitor({ name: "alone" });
    const addressOf = (id: number) => (id === alone ? "198.51.100.1" : "192.0.2.1");
    await report(failed, [a, b, c, alone], addressOf);
    await report(probed, [b], addressOf);
    expect(posted()).toEqual([]);
    pass(6 * 60 * MINUTE_MS);
    await deliver();
    expect(posted().map(({ title }) => title)).toEqual([
      "While messages were held: 3 monitors are down, 1 monitor is up again",
    ]);
    expect(posted()[0]?.text).toMatch(/• a .*\n• c .*\n• alone .*\n1 monitor came back up at .*: b$/m);
  });

  test("is not reminded of what is in a maintenance window, and is again after it", async () => {
    const { server, monitorId, check, deliver, posted, wait, now } = await start({ reminder: "15m" });
    const { ctx } = server;
    ctx.windows = createActiveWindows(ctx);
    const windows = followWindows(ctx, ctx.windows, () => {});
    await check("ok", "ok", "failed", "failed", "failed");
    await deliver();
    const window = { title: "Work", monitorIds: [monitorId], duration: 3600 };
    const planned = await server.api("POST", "/api/maintenance", window);
    expect(planned.status).toBe(201);
    await windows.look();
    const endsAt = now() + 3_600_000;
    await wait(45);
    expect(posted().map(({ title }) => title)).toEqual(["Shop is down"]);
    await wait(Math.ceil((endsAt - now()) / MINUTE_MS));
    windows.changed();
    await windows.look();
    await check("failed", "failed", "failed");
    await wait(16);
    expect(posted().at(-1)?.title).toBe("Shop is still down");
  });
});
