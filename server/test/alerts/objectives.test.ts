import { expect, test } from "vitest";
import { notifyOfObjectives } from "../../src/alerts/notify-of-objectives.ts";
import { respond } from "../harness/behaviours.ts";
import { type EngineName, eachEngine } from "../harness/stores.ts";
import { startTelling } from "./channel-setup.ts";
import { CASES } from "./channels/channel-cases.ts";
import { PUBLIC_URL } from "./mailing.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

eachEngine("channels, of error budgets,", (engine) => {
  const start = () => startBurning(engine);

  test("are notified once that one burns fast, with what is left, and once that it no longer does", async () => {
    const { addChannel, fall, rise, look, pass, received, monitorId } = await start();
    await addChannel({ events: ["objective.burning"] });
    await fall();
    await look();
    expect(received()).toEqual([]);
    pass(50 * SECOND_MS);
    await look();
    await look();
    await rise();
    pass(MINUTE_MS);
    await look();
    expect(received()).toMatchObject([
      {
        ...{ type: "objective.burning", title: "Shop is using up its error budget fast", severity: "high" },
        text: expect.stringMatching(
          /^\d+% of its error budget was used up within 1 hour\. 4\d minutes of 43 minutes are left: the objective is 99\.9% in 30 days\.$/,
        ),
        url: `${PUBLIC_URL}/domains/${monitorId}`,
        acknowledgeUrl: null,
        budget: { level: "fast", objective: 99.9, objectiveDays: 30, allowedSeconds: 2592 },
      },
    ]);
    // What an hour lost is not forgotten at once; ten minutes after its end it no longer goes on.
    pass(15 * MINUTE_MS);
    await look();
    pass(HOUR_MS);
    await look();
    await look();
    expect(received().slice(1)).toMatchObject([
      { type: "objective.steady", title: "Shop's error budget is steady again", budget: { level: null } },
    ]);
  });

  test("are notified after a restart only of what is new", async () => {
    const { addChannel, fall, look, pass, received, restarted } = await start();
    await addChannel();
    await fall();
    pass(2 * MINUTE_MS);
    await look();
    const before = received().filter(({ type }) => type === "objective.burning");
    await restarted();
    await restarted();
    expect(before).toHaveLength(1);
    expect(received().filter(({ type }) => type === "objective.burning")).toEqual(before);
  });

  test("are notified that one burns slowly, and that it burns fast by then", async () => {
    const { addChannel, fall, rise, look, pass, received } = await start();
    await addChannel({ events: ["objective.burning"] });
    // A quarter of a minute an hour: nothing to run for, and 10 % of the budget in less than three days.
    for (let hour = 0; hour < 20; hour += 1) {
      await fall();
      pass(13 * SECOND_MS);
      await rise();
      pass(HOUR_MS);
      await look();
    }
    expect(received()).toMatchObject([
      {
        ...{ type: "objective.burning", title: "Shop is slowly using up its error budget" },
        ...{ severity: "medium", budget: { level: "slow" } },
      },
    ]);
    await fall();
    pass(5 * MINUTE_MS);
    await look();
    expect(received().slice(1)).toMatchObject([{ severity: "high", budget: { level: "fast" } }]);
  });

  test("are notified of nothing while it is in maintenance, or down behind another", async () => {
    const { addChannel, fall, look, pass, received, server, monitorId } = await start();
    await addChannel({ events: ["objective.burning"] });
    await fall();
    pass(2 * MINUTE_MS);
    const states = server.ctx.store.db.updateTable("monitor_states").where("monitor_id", "=", monitorId);
    await states.set({ maintenance_until: Number.MAX_SAFE_INTEGER }).execute();
    await look();
    await states.set({ maintenance_until: null, suppressed_by: monitorId }).execute();
    await look();
    expect(received()).toEqual([]);
    await states.set({ suppressed_by: null }).execute();
    await look();
    expect(received()).toHaveLength(1);
  });

  test("are notified of nothing by a clock that cannot be right", async () => {
    const { addChannel, fall, look, pass, received } = await start();
    await addChannel({ events: ["objective.burning"] });
    await fall();
    pass(2 * MINUTE_MS);
    await look({ isSkewSuspected: true });
    expect(received()).toEqual([]);
  });

  test("are notified of the end only if they were of the beginning", async () => {
    const { addChannel, fall, rise, look, pass, received } = await start();
    await fall();
    pass(2 * MINUTE_MS);
    await look();
    await addChannel({ events: ["objective.burning"] });
    await rise();
    pass(2 * HOUR_MS);
    await look();
    expect(received()).toEqual([]);
  });

  test.each([
    ["the objective is taken away", { objective: 0 }, "there is no objective any more"],
    ["the monitor is paused", { enabled: false }, "paused"],
  ])("that are programs have no alert left where %s; people get nothing", async (_how, change, reason) => {
    const { addChannel, fall, look, pass, received, deliveries, target, server, monitorId } = await start();
    const events = ["objective.burning"];
    await addChannel({ events });
    const people = await addChannel({ type: "slack", config: CASES.slack.config(target.url), events });
    await fall();
    pass(2 * MINUTE_MS);
    await look();
    await server.api("PUT", `/api/domains/${monitorId}`, change);
    await look();
    expect(received().at(-1)).toMatchObject({
      ...{
        type: "objective.steady",
        title: "Shop's error budget is no longer watched",
        reason,
        budget: null,
      },
    });
    expect(await deliveries(people)).toMatchObject([{ event: "objective.burning" }]);
  });

  test("that have alerts get one for the budget beside the outage's, and its end", async () => {
    const { addChannel, fall, rise, look, pass, received, target } = await start();
    target.set(respond({ status: 202, body: "{}" }));
    await addChannel({ type: "pagerduty", config: CASES.pagerduty.config(target.url) });
    await fall();
    pass(2 * MINUTE_MS);
    await look();
    await rise();
    pass(2 * HOUR_MS);
    await look();
    const keys = Map.groupBy(received(), (one) => one["dedup_key"]);
    expect([...keys.values()].map((own) => own.map((one) => one["event_action"]))).toEqual([
      ["trigger", "resolve"],
      ["trigger", "resolve"],
    ]);
  });

  test("choose it by name, and the bell of the app rings for both", async () => {
    const { addChannel, fall, rise, look, pass, received, server } = await start();
    await addChannel({ events: ["monitor.down"] });
    await fall();
    pass(2 * MINUTE_MS);
    await look();
    await rise();
    pass(2 * HOUR_MS);
    await look();
    expect(received().map(({ type }) => type)).toEqual(["monitor.down"]);
    const { body } = await server.api("GET", "/api/notifications");
    const rung = body.data.filter(({ event }: { event: string }) => event.startsWith("objective."));
    expect(rung.map(({ event, type }: { event: string; type: string }) => [event, type])).toEqual([
      ["objective.steady", "success"],
      ["objective.burning", "error"],
    ]);
    expect(rung[1].message).toMatch(/^Shop is using up its error budget fast\. 4\d minutes/);
  });

  test("and who owns the organization is notified by mail like of an outage", async () => {
    const { fall, look, pass, deliver, server, mail } = await start();
    await server.api("PUT", "/api/notifications/settings", {
      emailNotifications: true,
      emailIncidents: false,
    });
    await fall();
    pass(2 * MINUTE_MS);
    await look();
    // What comes soon after another message waits for more.
    pass(MINUTE_MS);
    await deliver();
    expect(mail.mails.map(({ headers }) => headers["subject"])).toContain(
      "Shop is using up its error budget fast",
    );
  });
});

async function startBurning(engine: EngineName) {
  const telling = await startTelling(engine);
  const { server, deliver, check, monitorId, pass } = telling;
  const set = { objective: 99.9, confirmations: 1, recoveries: 1 };
  const { status } = await server.api("PUT", `/api/domains/${monitorId}`, set);
  expect(status).toBe(200);
  await check("ok");
  const lookOnce = (isSkewSuspected = false) => notifyOfObjectives(server.ctx, { isSkewSuspected });
  return {
    ...telling,
    fall: () => check("failed"),
    rise: () => check("ok"),
    /** Of two replicas. */
    async look({ isSkewSuspected = false } = {}) {
      await Promise.all([lookOnce(isSkewSuspected), lookOnce(isSkewSuspected)]);
      await deliver();
    },
    /** What a server does first that was started anew. */
    async restarted() {
      pass(MINUTE_MS / 6);
      await lookOnce();
      await deliver();
    },
  };
}
