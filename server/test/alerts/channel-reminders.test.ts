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

  test("come until an acknowledgement", async () => {
    const { wait, events, received, server, incident } = await start({ reminder: "15m" });
    await wait(14);
    expect(events()).toEqual(["monitor.down"]);
    await wait(1);
    expect(received().at(-1)).toMatchObject({
      ...{ type: "reminder", title: "Shop is still down", locations: ["local"] },
      text: expect.stringMatching(/^\S.* Down since 12:03 \(UTC\), for 17 minutes now\. It has not/),
    });
    await wait(15);
    expect(events()).toEqual(["monitor.down", "reminder", "reminder"]);
    await server.api("POST", `/api/incidents/${(await incident()).id}/acknowledge`);
    await wait(31);
    expect(events()).toHaveLength(3);
  });

  test("end when it is merged with one that is acknowledged", async () => {
    const { wait, events, server, incident } = await start({ reminder: "15m" });
    const outage = await incident();
    const known = (await server.api("POST", "/api/incidents", { title: "The host is gone" })).body.data;
    await server.api("POST", `/api/incidents/${known.id}/acknowledge`);
    const into = { into: outage.id };
    expect((await server.api("POST", `/api/incidents/${known.id}/merge`, into)).status).toBe(200);
    await wait(31);
    expect(events()).toEqual(["monitor.down"]);
  });

  test("end with the outage, and never come where they are not wanted", async () => {
    const { wait, events, check, addChannel, deliver } = await start({ reminder: "15m" });
    await addChannel({ reminder: "never", events: ["monitor.down", "monitor.up"] });
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
    const { wait, events, server, id } = await start({ reminder: "never" });
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

interface Sent {
  type?: string;
  monitor?: { name: string };
  attachments?: { title: string; text: string }[];
  event_action?: string;
  dedup_key?: string;
  payload?: { summary: string; severity: string };
}

eachEngine("reminders as new channels have them", (engine) => {
  /** Two monitors of one host, of which one is critical, that fail together. */
  const start = async () => {
    const telling = await startTelling(engine);
    const { server, pass, deliver, addMonitor, checkAll } = telling;
    const on = (name: string) => ({ name, url: `https://one.example/${name}` });
    const blog = await addMonitor({ ...on("Blog"), severity: "low" });
    const bank = await addMonitor({ ...on("Bank"), severity: "critical" });
    const fail = async (...ids: number[]) => {
      await checkAll(ids, { stepMs: 5_000 }, "ok", "ok", "failed", "failed", "failed");
      await deliver();
    };
    const hours = async (count: number) => {
      for (let each = 0; each < count * 4; each += 1) {
        pass(15 * MINUTE_MS);
        await Promise.all([deliver(), deliver()]);
      }
    };
    const sent = () => telling.received() as Sent[];
    const incident = async () => (await server.api("GET", "/api/incidents")).body.data[0];
    return { ...telling, blog, bank, fail, hours, sent, incident };
  };

  test("name only what is critical, in chats, and end when a person acknowledges", async () => {
    const { addChannel, blog, bank, fail, hours, sent, server, incident, target } = await start();
    await addChannel({ type: "mattermost", config: { url: target.url } });
    await fail(blog, bank);
    const titles = () => sent().flatMap(({ attachments = [] }) => attachments.map(({ title }) => title));
    expect(titles()).toEqual(["Bank and Blog are down"]);
    await hours(3.75);
    expect(titles()).toHaveLength(1);
    await hours(0.25);
    expect(titles().at(-1)).toBe("Bank is still down");
    expect(JSON.stringify(sent().at(-1))).not.toContain("Blog");
    await hours(4);
    expect(titles()).toHaveLength(3);
    await server.api("POST", `/api/incidents/${(await incident()).id}/acknowledge`);
    await hours(9);
    expect(titles()).toHaveLength(3);
  });

  test("say nothing of what is not critical", async () => {
    const { addChannel, blog, fail, hours, sent, target } = await start();
    await addChannel({ type: "mattermost", config: { url: target.url } });
    await addChannel();
    await fail(blog);
    await hours(13);
    expect(sent()).toHaveLength(2);
  });

  test("are an update of a pager's alert, and an event of a webhook's", async () => {
    const { addChannel, blog, bank, fail, hours, sent, target, checkAll, deliver } = await start();
    await addChannel({ type: "pagerduty", config: { key: "k", server: target.url } });
    await addChannel();
    await fail(blog, bank);
    await hours(4.25);
    const paged = () => sent().filter(({ event_action: action }) => action !== undefined);
    expect(paged().map((one) => one.event_action)).toEqual(["trigger", "trigger"]);
    expect(new Set(paged().map((one) => one.dedup_key)).size).toBe(1);
    expect(paged()[1]?.payload).toMatchObject({ severity: "critical" });
    expect(paged()[1]?.payload?.summary).toMatch(/^Bank is still down/);
    const events = () => sent().flatMap(({ type, monitor }) => (type ? `${type} ${monitor?.name}` : []));
    expect(events().toSorted()).toEqual(["monitor.down Bank", "monitor.down Blog", "reminder Bank"]);
    await checkAll([blog, bank], { stepMs: 5_000 }, "ok", "ok", "ok");
    await deliver();
    await hours(9);
    expect(paged().map((one) => one.event_action)).toEqual(["trigger", "trigger", "resolve"]);
    expect(events().filter((one) => one.startsWith("reminder"))).toHaveLength(1);
  });

  test("go to people by what they have set up for themselves", async () => {
    const { server, blog, bank, fail, hours, sent, mail, target } = await start();
    await server.api("PUT", "/api/notifications/settings", {
      ...{ emailNotifications: true, webhookUrl: target.url },
    });
    await fail(blog, bank);
    await hours(4.25);
    expect(mail.mails.map(({ text }) => text.split("\n")[0])).toEqual([
      "Bank and Blog are down",
      "Bank is still down",
    ]);
    expect(mail.mails.at(-1)?.text).not.toContain("Blog");
    expect(sent().filter(({ type }) => type === "reminder")).toMatchObject([{ monitor: { name: "Bank" } }]);
  });

  test("can be chosen and are shown in both families; what does not exist is refused by its field", async () => {
    const { server, addChannel } = await start();
    const id = await addChannel();
    const path = `/v2/notifications/channels/${id}`;
    expect((await server.api("GET", path)).body.data.reminder).toBe("critical");
    expect((await server.api("PUT", path, { reminder: "4h" })).body.data.reminder).toBe("4h");
    expect((await server.api("PUT", `${CHANNELS}/${id}`, { name: "Other" })).body.data.reminder).toBe("4h");
    const refused = await server.api("PUT", `${CHANNELS}/${id}`, { reminder: "2h" });
    expect(refused.status).toBe(422);
    expect(Object.keys(refused.body.errors ?? refused.body.fields ?? {})).toEqual(["reminder"]);
  });
});
