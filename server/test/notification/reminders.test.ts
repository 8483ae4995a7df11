import { expect, test } from "vitest";
import { eachEngine } from "../harness/stores.ts";
import { CHANNELS, startTelling } from "./channel-setup.ts";

const MINUTE_MS = 60_000;

eachEngine("reminders of a channel", (engine) => {
  const start = async (settings: object) => {
    const telling = await startTelling(engine);
    const id = await telling.addChannel({ events: ["monitor.down", "monitor.up"], ...settings });
    await telling.check("ok", "ok", "failed", "failed", "failed");
    await telling.deliver();
    /** Lets that many minutes pass, with a sender that looks each minute. */
    const wait = async (minutes: number) => {
      for (let minute = 0; minute < minutes; minute += 1) {
        telling.pass(MINUTE_MS);
        await Promise.all([telling.deliver(), telling.deliver()]);
      }
    };
    const events = () => telling.received().map(({ type }) => type);
    const incident = async () => (await telling.server.api("GET", "/api/incidents")).body.data[0];
    return { ...telling, id, wait, events, incident };
  };

  test("come while nobody acknowledges, and end when somebody does", async () => {
    const { wait, events, received, server, incident } = await start({ reminder: "15m" });
    await wait(14);
    expect(events()).toEqual(["monitor.down"]);
    await wait(1);
    expect(received().at(-1)).toMatchObject({
      ...{ type: "reminder", title: "Shop is still down", locations: ["local"] },
      text: expect.stringMatching(/^\S.* Down since 12:03 \(UTC\), for 17 minutes now\. Nobody/),
    });
    await wait(15);
    expect(events()).toEqual(["monitor.down", "reminder", "reminder"]);
    await server.api("POST", `/api/incidents/${(await incident()).id}/acknowledge`);
    await wait(31);
    expect(events()).toHaveLength(3);
  });

  test("end when it is merged with one that somebody has acknowledged", async () => {
    const { wait, events, server, incident } = await start({ reminder: "15m" });
    const outage = await incident();
    const known = (await server.api("POST", "/api/incidents", { title: "The host is gone" })).body.data;
    await server.api("POST", `/api/incidents/${known.id}/acknowledge`);
    const into = { into: outage.id };
    expect((await server.api("POST", `/api/incidents/${known.id}/merge`, into)).status).toBe(200);
    await wait(31);
    expect(events()).toEqual(["monitor.down"]);
  });

  test("end with the outage, and never come where nobody wants them", async () => {
    const { wait, events, check, addChannel, deliver } = await start({ reminder: "15m" });
    const quiet = await addChannel({ type: "mattermost" });
    expect(quiet).toBeGreaterThan(0);
    await check("ok", "ok", "ok");
    await deliver();
    await wait(31);
    expect(events()).toEqual(["monitor.down", "monitor.up"]);
  });

  test("pause while people say that it is resolved", async () => {
    const { wait, events, server, incident } = await start({ reminder: "15m" });
    const { id } = await incident();
    await server.api("PUT", `/api/incidents/${id}`, { status: "resolved" });
    await wait(31);
    expect(events()).toEqual(["monitor.down"]);
    expect((await server.api("POST", `/api/incidents/${id}/reopen`)).status).toBe(200);
    await wait(15);
    expect(events()).toEqual(["monitor.down", "reminder"]);
  });

  test("follow a change of the setting", async () => {
    const { wait, events, server, id } = await start({});
    await wait(20);
    expect(events()).toEqual(["monitor.down"]);
    const changed = await server.api("PUT", `${CHANNELS}/${id}`, { reminder: "1h" });
    expect(changed.body.data.reminder).toBe("1h");
    await wait(60);
    expect(events()).toEqual(["monitor.down", "reminder"]);
    await server.api("PUT", `${CHANNELS}/${id}`, { reminder: "never" });
    await wait(61);
    expect(events()).toHaveLength(2);
  });
});
