import { expect, it } from "vitest";
import { wordsOf } from "../../../src/alerts/channels/message-words.ts";
import { followAlertEvents } from "../../../src/alerts/inbox.ts";
import { ingestBatch } from "../../../src/app/pipeline.ts";
import { failed, probed } from "../../app/pipeline/setup.ts";
import { eachEngine } from "../../harness/stores.ts";
import { linkDomain, makePage, publicOf } from "../../status-pages/factories.ts";
import { makeDomain } from "../domains/factories.ts";
import { metrics, SECOND, serverWithDevices } from "./device-setup.ts";

const MINUTE = 60 * SECOND;
const CHANNELS = "/api/notifications/channels";

eachEngine("a device in trouble", (engine) => {
  /** A device and a way to play what its disk does; `received`: what a channel was sent, the oldest first. */
  async function start(settings: object = {}) {
    const installation = await serverWithDevices(engine);
    const { addDevice, api, clock, ctx, look } = installation;
    const { id, agent } = await addDevice({ severity: "low", ...settings });
    const report = async (disk: number, minutes = 0) => {
      // A level holds once it has been there for a minute.
      for (let left = Math.max(1, minutes * 6); left > 0; left -= 1) {
        clock.ms += 10 * SECOND;
        await agent.report({ metrics: metrics({ "disk./.usage": disk }) });
      }
    };
    const silence = async (minutes: number) => {
      clock.ms += minutes * MINUTE;
      await look();
    };
    const addChannel = async (events: string[]) => {
      const url = "https://hooks.example/a";
      const body = { name: events.join() || "all", type: "webhook", config: { url }, events };
      const made = await api("POST", CHANNELS, body);
      expect(made.status).toBe(201);
      return made.body.data.id as number;
    };
    const messages = async (channelId: number) => {
      await followAlertEvents(ctx);
      const rows = await ctx.store.db
        .selectFrom("outbox")
        .select(["event", "message"])
        .where("channel_id", "=", channelId)
        .orderBy("id")
        .execute();
      return rows.map(({ event, message }) => ({ event, message: JSON.parse(message ?? "") }));
    };
    const received = async (channelId: number) => (await messages(channelId)).map(({ event }) => event);
    const incidentsNotified = async (channelId: number) =>
      (await messages(channelId)).map(({ message }) => message.incidentId);
    const titles = async (channelId: number) =>
      (await messages(channelId)).map(
        ({ message }) =>
          wordsOf(message, { language: "en", timeZone: "UTC" }, { now: clock.ms, publicUrl: null }).title,
      );
    const incidents = async () => (await api("GET", "/api/incidents")).body.data;
    await report(40);
    return {
      ...installation,
      id,
      report,
      silence,
      addChannel,
      received,
      titles,
      incidentsNotified,
      incidents,
    };
  }

  it("has no incident for a warning, though people are notified of it and of its end", async () => {
    const { report, addChannel, received, titles, incidents } = await start();
    const channel = await addChannel([]);
    await report(88, 2);
    await report(40, 2);
    expect(await incidents()).toEqual([]);
    expect(await received(channel)).toEqual(["device.health", "device.health"]);
    expect(await titles(channel)).toEqual(["web-1 is not healthy", "web-1 is healthy again"]);
  });

  it("has one of its own severity once its health is critical, until it is well again", async () => {
    const { api, id, report, addChannel, received, titles, incidents } = await start();
    const channel = await addChannel([]);
    await report(88, 2);
    await report(97, 2);
    const [open] = await incidents();
    expect(open).toMatchObject({
      ...{ title: "web-1 is in a critical state", severity: "low", impact: "minor", status: "open" },
      reason: "The disk / is 97 % full; 95 % is critical.",
    });
    // It is there, and works.
    expect((await api("GET", `/api/devices/${id}`)).body.data).toMatchObject({
      ...{ status: "online", healthStatus: "critical", state: "degraded" },
    });
    expect((await api("GET", "/api/devices/stats")).body.data).toMatchObject({ activeIncidents: 1 });
    // From critical to a warning and back it is the same problem.
    await report(88, 2);
    await report(97, 2);
    expect(await incidents()).toHaveLength(1);
    await report(40, 2);
    expect(await incidents()).toMatchObject([
      { id: open.id, status: "resolved", title: "web-1 was in a critical state" },
    ]);
    const log = (await api("GET", `/api/incidents/${open.id}/updates`)).body.data;
    expect(log.at(-1).message).toMatch(/^web-1 is well again\. The problem lasted \d+ minutes/);
    expect(await received(channel)).toEqual(["device.health", "device.health", "device.health"]);
    expect(await titles(channel)).toEqual([
      "web-1 is not healthy",
      "web-1 is in a critical state",
      "web-1 is healthy again",
    ]);
  });

  it("that goes offline while it is critical is one story: one incident, whose words say so", async () => {
    const { api, ctx, report, silence, addChannel, received, titles, incidentsNotified, incidents } =
      await start();
    const channel = await addChannel([]);
    const ofPresence = await addChannel(["device.offline", "device.online"]);
    await report(97, 2);
    await silence(2);
    const [open, ...more] = await incidents();
    expect(more).toEqual([]);
    expect(open).toMatchObject({ title: "web-1 is down", impact: "major", status: "open" });
    // Each message leads to it, and can acknowledge it.
    expect(await incidentsNotified(channel)).toEqual([open.id, open.id]);
    await report(97, 2);
    expect(await incidents()).toMatchObject([
      { id: open.id, status: "open", title: "web-1 is in a critical state", impact: "major" },
    ]);
    await report(40, 2);
    expect(await incidents()).toMatchObject([
      { id: open.id, status: "resolved", title: "web-1 was offline and in a critical state" },
    ]);
    expect(await received(channel)).toEqual([
      "device.health",
      "device.offline",
      "device.health",
      "device.health",
    ]);
    expect(await titles(channel)).toEqual([
      "web-1 is in a critical state",
      "web-1 is offline",
      "web-1 is in a critical state",
      "web-1 is healthy again",
    ]);
    // Who is notified of its presence alone is notified of the end, too.
    expect(await received(ofPresence)).toEqual(["device.offline", "device.online"]);
    // Within the app it has been back for long: its health is what is new, in the list and for open browsers.
    const [latest] = (await api("GET", "/api/notifications")).body.data;
    expect(latest).toMatchObject({ event: "device.health", fact: { code: "notification.healthy" } });
    const live = await ctx.store.db
      .selectFrom("events")
      .select("payload")
      .where("type", "=", "notification")
      .orderBy("id", "desc")
      .executeTakeFirstOrThrow();
    expect(JSON.parse(live.payload)).toMatchObject({
      event: "device.health",
      fact: { code: "notification.healthy" },
      message: expect.stringContaining("healthy again"),
    });
    const log = (await api("GET", `/api/incidents/${open.id}/updates`)).body.data;
    expect(log.map(({ message }: { message: string }) => message.split(" since ")[0])).toEqual([
      "web-1 has been in a critical state",
      "web-1 has not been working",
      "web-1 has been online again",
      expect.stringMatching(/^web-1 is well again/),
    ]);
  });

  it("with more problems than are named has a line in the log where one comes or goes, and none for percentages", async () => {
    const { addDevice, api, clock, incidents } = await start();
    const { agent } = await addDevice({ name: "db-1" });
    const reported = async (count: number, reports = 8) => {
      for (let left = reports; left > 0; left -= 1) {
        clock.ms += 10 * SECOND;
        // Which of them are the fullest changes with every report.
        const full = Array.from({ length: 9 }, (_, at) => [
          `disk./d${at}.usage`,
          at < count ? 96 + (((at * 7 + left * 4) % 9) * 3) / 9 : 20,
        ]);
        await agent.report({ metrics: metrics(Object.fromEntries(full)) });
      }
    };
    const logged = async () => {
      const [open] = await incidents();
      return (await api("GET", `/api/incidents/${open.id}/updates`)).body.data.length;
    };
    await reported(8, 30);
    expect(await logged()).toBe(1);
    await reported(9, 30);
    expect(await logged()).toBe(2);
    await reported(8, 30);
    expect(await logged()).toBe(3);
  });

  it.each([
    ["critical", "critical"],
    ["none", "none"],
    ["minor", "major"],
  ])("that goes offline leaves the impact that people gave its incident: %s", async (given, then) => {
    const { api, report, silence, incidents } = await start();
    await report(97, 2);
    const [open] = await incidents();
    expect((await api("PUT", `/api/incidents/${open.id}`, { impact: given })).status).toBe(200);
    await silence(2);
    expect(await incidents()).toMatchObject([{ id: open.id, title: "web-1 is down", impact: then }]);
  });

  it("that goes offline renames no incident of another one with which it was merged", async () => {
    const { addDevice, api, clock, look, incidents } = await start();
    const others = [await addDevice({ name: "db-1" }), await addDevice({ name: "db-2" })];
    const report = async (devices: typeof others, disk: number) => {
      for (let left = 12; left > 0; left -= 1) {
        clock.ms += 10 * SECOND;
        for (const { agent } of devices) await agent.report({ metrics: metrics({ "disk./.usage": disk }) });
      }
    };
    await report(others, 97);
    const open = (await incidents()) as { id: number; title: string }[];
    const of = (name: string) => open.find(({ title }) => title.startsWith(name))?.id;
    const [into, merged] = [of("db-1"), of("db-2")];
    expect((await api("POST", `/api/incidents/${merged}/merge`, { into })).status).toBe(200);
    const before = (await api("GET", `/api/incidents/${into}`)).body.data;
    await report(others.slice(0, 1), 97);
    await look();
    const after = (await api("GET", `/api/incidents/${into}`)).body.data;
    expect(before.title).toBe("db-1 and 1 other monitor have problems");
    expect(after).toMatchObject({ title: before.title, description: before.description, impact: "major" });
    clock.ms += 300 * SECOND;
    await look();
    expect((await api("GET", `/api/incidents/${into}`)).body.data).toMatchObject({
      title: "db-1 and 1 other monitor are down",
    });
  });

  it("is not called down where it is all that is left of an incident with which it was merged", async () => {
    const { api, clock, ctx, server, report, incidents } = await start();
    const domain = await makeDomain(server, { name: "Shop", confirmations: 1, recoveries: 1 });
    const page = await makePage(server);
    await linkDomain(server, page, domain);
    await report(97, 2);
    clock.ms += SECOND;
    await ingestBatch(ctx, [failed(domain.id, clock.ms)]);
    const open = (await incidents()) as { id: number; title: string }[];
    const of = (name: string) => open.find(({ title }) => title.startsWith(name))?.id;
    const [into, merged] = [of("Shop"), of("web-1")];
    expect((await api("POST", `/api/incidents/${merged}/merge`, { into })).status).toBe(200);
    clock.ms += SECOND;
    await ingestBatch(ctx, [probed(domain.id, clock.ms)]);
    const left = (await api("GET", `/api/incidents/${into}`)).body.data;
    expect(left).toMatchObject({ status: "open", title: "web-1 is in a critical state" });
    expect(left.description).toMatch(
      /^web-1 has been in a critical state since .*\. The disk \/ is 97 % full; 95 % is critical\.$/,
    );
    const { incidents: going, history } = await publicOf(server, page.slug);
    expect([...going, ...history]).toMatchObject([{ title: "Shop was not available" }]);
    await report(40, 2);
    expect((await api("GET", `/api/incidents/${into}`)).body.data).toMatchObject({ status: "resolved" });
  });

  it("is said to have been offline where it is all that is left of another one's incident", async () => {
    const { api, clock, ctx, server, report, silence, incidents } = await start();
    const domain = await makeDomain(server, { name: "Shop", confirmations: 1, recoveries: 1 });
    await report(97, 2);
    clock.ms += SECOND;
    await ingestBatch(ctx, [failed(domain.id, clock.ms)]);
    const open = (await incidents()) as { id: number; title: string }[];
    const of = (name: string) => open.find(({ title }) => title.startsWith(name))?.id;
    const into = of("Shop");
    expect((await api("POST", `/api/incidents/${of("web-1")}/merge`, { into })).status).toBe(200);
    await silence(2);
    await report(97, 2);
    clock.ms += SECOND;
    await ingestBatch(ctx, [probed(domain.id, clock.ms)]);
    const read = async () => (await api("GET", `/api/incidents/${into}`)).body.data;
    const left = await read();
    expect(left).toMatchObject({ status: "open", title: "web-1 is in a critical state" });
    expect(left.description).toMatch(
      /^web-1 has been online again since .*, but it is in a critical state\./,
    );
    await silence(2);
    expect(await read()).toMatchObject({ title: "web-1 is down" });
    await report(97, 2);
    expect(await read()).toMatchObject({ title: "web-1 is in a critical state" });
    const split = await api("POST", `/api/incidents/${into}/split`, { monitorId: domain.id });
    expect(split.status).toBe(200);
    await report(40, 2);
    expect(await read()).toMatchObject({
      status: "resolved",
      title: "web-1 was offline and in a critical state",
    });
  });

  it("is explained, paused and deleted with an incident of its health as with any other", async () => {
    const { api, id, report, incidents } = await start();
    await report(97, 2);
    const [open] = await incidents();
    const explained = await api("GET", `/api/incidents/${open.id}/explain?confirmations=5`);
    expect(explained.status).toBe(200);
    const [outage] = explained.body.data.outages;
    expect(outage).toMatchObject({ kind: "device", whatIf: null });
    expect(outage.transitions.at(-1)).toMatchObject({ to: "degraded", votes: [] });
    expect(outage.transitions.at(-1).message).toContain("The disk / is 97 % full");
    expect((await api("GET", `/api/incidents/${open.id}/devices`)).body.data).toMatchObject([
      { device: { id } },
    ]);
    const paused = await api("POST", "/api/devices/bulk", { action: "pause", ids: [id] });
    expect(paused.status).toBe(200);
    expect(await incidents()).toMatchObject([{ status: "resolved" }]);
  });

  it("is sent to each channel by the names that it chose, and no device to who chose monitors", async () => {
    const { report, silence, addChannel, received } = await start();
    const all = {
      offline: await addChannel(["device.offline", "device.online"]),
      health: await addChannel(["device.health"]),
      monitors: await addChannel(["monitor.down", "monitor.up", "monitor.degraded"]),
    };
    await report(97, 2);
    await silence(2);
    await report(40, 2);
    await silence(2);
    await report(40, 1);
    expect(await received(all.offline)).toEqual([
      "device.offline",
      "device.online",
      "device.offline",
      "device.online",
    ]);
    expect((await received(all.health))[0]).toBe("device.health");
    expect((await received(all.health)).at(-1)).toBe("device.health");
    expect(new Set(await received(all.health))).toEqual(new Set(["device.health"]));
    expect(await received(all.monitors)).toEqual([]);
  });

  it("is named likewise in the app's events", async () => {
    const { api, report, silence } = await start();
    await report(97, 2);
    await silence(2);
    const { data } = (await api("GET", "/api/notifications")).body;
    expect(data.map(({ event }: { event: string }) => event)).toEqual(["device.offline", "device.health"]);
    expect(data[1].message).toContain("has been in a critical state since");
  });
});
