import { expect, test } from "vitest";
import { digestOf } from "../../../src/alerts/channels/digest.ts";
import { type Message, type NotifiedEvent, newMessage } from "../../../src/alerts/channels/message.ts";
import { wordsOf } from "../../../src/alerts/channels/message-words.ts";
import { followAlertEvents } from "../../../src/alerts/inbox.ts";
import { claimDeliveries, lockClaims } from "../../../src/alerts/queries/claim-deliveries.ts";
import { sendDueAlerts } from "../../../src/alerts/send.ts";
import type { MessageMonitor } from "../../../src/monitors/queries/monitor-names.ts";
import { msg } from "../../../src/platform/i18n/message.ts";
import { respond, status } from "../../harness/behaviours.ts";
import { eachEngine } from "../../harness/stores.ts";
import { startTelling } from "../channel-setup.ts";

const MINUTE_MS = 60_000;

test.each([
  ["en", "4 monitors are down, 12 monitors are up again", ", Shop 10, and 2 more"],
  ["de", "4 Monitore sind ausgefallen, 12 Monitore funktionieren wieder", ", Shop 10 und 2 weitere"],
  ["zh", "4 个监控项发生故障，12 个监控项已恢复", "、Shop 10，以及另外 2 个"],
] as const)("a digest in %s separates what it reports", (language, title, names) => {
  const of = (id: number, event: "monitor.down" | "monitor.up") => {
    const monitor = { ...MONITOR, id, name: `Shop ${id}` };
    return newMessage({ event, type: "error", at: 0, descriptor: { code: "text" }, monitor });
  };
  const down = [21, 22, 23, 24].map((id) => of(id, "monitor.down"));
  const up = Array.from({ length: 12 }, (_, index) => of(index + 1, "monitor.up"));
  const words = wordsOf(
    digestOf([...up, ...down], false),
    { language, timeZone: "UTC" },
    { now: 0, publicUrl: null },
  );
  expect(words.title).toBe(title);
  expect(words.text).toMatch(new RegExp(`${names}$`));
});

test.each([
  [
    "en",
    "UTC",
    `2 monitors went down between Nov 23, 23:59 and 00:01 (UTC):
• Shop (high severity): shop.example refused the connection.
• API (high severity)
1 monitor is still down and has not been acknowledged:
• Bank (critical)
1 incident was resolved on Nov 23, 23:59: Shop was down`,
  ],
  [
    "de",
    "Europe/Berlin",
    `2 Monitore sind zwischen 00:59 und 01:01 (MEZ) ausgefallen:
• Shop (Schweregrad hoch): shop.example hat die Verbindung abgelehnt.
• API (Schweregrad hoch)
1 Monitor ist immer noch ausgefallen, und niemand hat das quittiert:
• Bank (kritisch)
1 Vorfall wurde um 00:59 behoben: Shop war ausgefallen`,
  ],
  [
    "zh",
    "UTC",
    `11月23日 23:59 至 00:01（UTC），2 个监控项发生故障：
• Shop（严重程度：高）：shop.example 拒绝了连接。
• API（严重程度：高）
1 个监控项仍未恢复，尚未确认：
• Bank（严重程度：严重）
11月23日 23:59，1 个事件已解决：Shop 曾发生故障`,
  ],
] as const)("a digest in %s says why and how grave, and names the zone once", (language, timeZone, text) => {
  const at = Date.UTC(2026, 10, 23, 23, 59);
  const one = (event: NotifiedEvent, at: number, known: Partial<Message>) =>
    newMessage({ event, type: "error", at, descriptor: { code: "text" }, ...known });
  const monitor = (id: number, name: string, severity: "high" | "critical" = "high") => ({
    monitor: { ...MONITOR, id, name, severity },
  });
  const messages = [
    one("monitor.down", at, { ...monitor(1, "Shop"), reason: msg("refused", { where: "shop.example" }) }),
    one("monitor.down", at + 2 * MINUTE_MS, monitor(2, "API")),
    one("reminder", at, monitor(3, "Bank", "critical")),
    one("incident.resolved", at, {
      ...{ incidentId: 7, severity: "high", title: msg("incident.down_over", { name: "Shop" }) },
    }),
  ];
  const saying = { now: at + 5 * MINUTE_MS, publicUrl: null };
  const words = wordsOf(digestOf(messages, false), { language, timeZone }, saying);
  expect(words.text).toBe(text);
});

test.each([
  [
    "en",
    "1 monitor is down, 1 incident opened, 1 incident updated",
    `1 monitor went down at 11:01 (UTC):
• Shop (high severity)
1 incident was opened at 11:02:
• Payments are slow (low severity)
1 incident was updated at 11:03:
• Queue is full (medium severity)`,
  ],
  [
    "de",
    "1 Monitor ist ausgefallen, 1 neuer Vorfall, Neues zu 1 Vorfall",
    `1 Monitor ist um 11:01 (UTC) ausgefallen:
• Shop (Schweregrad hoch)
1 Vorfall wurde um 11:02 eröffnet:
• Payments are slow (Schweregrad niedrig)
Zu 1 Vorfall gibt es Neues (um 11:03):
• Queue is full (Schweregrad mittel)`,
  ],
  [
    "zh",
    "1 个监控项发生故障，新增 1 个事件，1 个事件有更新",
    `11:01（UTC），1 个监控项发生故障：
• Shop（严重程度：高）
11:02，新增 1 个事件：
• Payments are slow（严重程度：低）
11:03，1 个事件有更新：
• Queue is full（严重程度：中）`,
  ],
] as const)(
  "a digest in %s tells of outages before what people wrote of incidents",
  (language, title, text) => {
    const at = Date.UTC(2026, 10, 23, 11, 1);
    const one = (event: NotifiedEvent, minutes: number, known: Partial<Message>) =>
      newMessage({
        ...{ event, type: "error", at: at + minutes * MINUTE_MS, descriptor: { code: "text" } },
        ...known,
      });
    const messages = [
      one("incident.updated", 2, { incidentId: 7, severity: "medium", title: "Queue is full" }),
      one("incident.opened", 1, { incidentId: 8, severity: "low", title: "Payments are slow" }),
      one("monitor.down", 0, { monitor: { ...MONITOR, id: 1, name: "Shop" } }),
    ];
    const saying = { now: at + 5 * MINUTE_MS, publicUrl: null };
    const words = wordsOf(digestOf(messages, false), { language, timeZone: "UTC" }, saying);
    expect([words.title, words.text]).toEqual([title, text]);
  },
);

const SECOND_MS = 1_000;
const HOUR_MS = 60 * MINUTE_MS;

const MONITOR: MessageMonitor = {
  ...{ id: 0, uuid: "", kind: "domain", name: "", type: "http", target: "https://shop.example/" },
  ...{ severity: "high", tags: [] },
};

interface Posted {
  text: string;
  attachments: { title: string; text: string }[];
}

eachEngine("channels that people read", (engine) => {
  const start = async () => {
    const telling = await startTelling(engine);
    const add = (settings: object = {}) =>
      telling.addChannel({ type: "mattermost", config: { url: telling.target.url }, ...settings });
    const posted = () =>
      (telling.received() as unknown as Posted[]).map(({ attachments: [one] }) => ({
        title: one?.title,
        text: one?.text,
      }));
    const addMonitors = async (count: number, settings: object = {}) => {
      const ids: number[] = [];
      for (let each = 1; each <= count; each += 1) {
        const id = await telling.addMonitor({ name: `Shop ${each}`, ...settings });
        ids.push(id);
      }
      return ids;
    };
    return { ...telling, add, posted, addMonitors };
  };

  test("are sent one message of many events, with the right counts, and one when they are over", async () => {
    const { add, addMonitors, checkAll, deliver, posted, deliveries } = await start();
    const id = await add();
    const monitors = await addMonitors(23);
    await checkAll(monitors, "ok", "ok", "failed", "failed", "failed");
    await Promise.all([deliver(), deliver()]);
    expect(posted()).toHaveLength(1);
    expect(posted()[0]?.title).toBe("23 monitors are down");
    expect(posted()[0]?.text).toMatch(
      /^23 monitors went down at 12:03 \(UTC\):\n• Shop 1 \(high severity\): .*refused\.\n.*• and 18 more\n\n/s,
    );
    const links = (posted()[0]?.text ?? "").match(
      /^\[Shop \d\]\(https:\/\/vedette\.test\/incidents\/\d+\)$/gm,
    );
    expect(new Set(links).size).toBe(5);
    await checkAll(monitors, "ok", "ok", "ok");
    await deliver();
    expect(posted().map(({ title }) => title)).toEqual(["23 monitors are down", "23 monitors are up again"]);
    const logged = await deliveries(id);
    expect(new Set(logged.map(({ state }) => state))).toEqual(new Set(["sent"]));
  });

  test("are sent nothing of what has happened since it was decided what to send", async () => {
    const { server, add, check, now } = await start();
    await add();
    await check("ok", "ok", "failed", "failed", "failed");
    const none = { atMost: 0, ofOne: 8, running: new Map() };
    const channels = { ...none, atMost: 8 };
    const limits = {
      now: now(),
      worthAfter: 0,
      until: now() + 1,
      plain: 0,
      channels,
      own: none,
      subscribers: none,
    };
    const claimed = (isDecided: boolean) =>
      server.ctx.store.transaction(async (trx) => {
        await lockClaims(trx);
        if (isDecided) await sendDueAlerts(trx, server.ctx.config, now());
        return claimDeliveries(trx, limits);
      });
    expect(await claimed(true)).toEqual([]);
    await followAlertEvents(server.ctx);
    expect(await claimed(false)).toEqual([]);
    expect(await claimed(true)).toMatchObject([{ event: "monitor.down" }]);
  });

  test("get a burst in two messages in the first minute, and one a minute after", async () => {
    const { add, addMonitors, checkAll, deliver, posted, pass } = await start();
    await add();
    const monitors = await addMonitors(30);
    await checkAll(monitors, "ok", "ok");
    const [first, second, rest] = [monitors.slice(0, 1), monitors.slice(1, 16), monitors.slice(16)];
    await checkAll(first, "failed", "failed", "failed");
    await deliver();
    await checkAll(second, { stepMs: SECOND_MS }, "failed", "failed", "failed");
    await deliver();
    pass(4 * SECOND_MS);
    await deliver();
    await checkAll(rest, { stepMs: SECOND_MS }, "failed", "failed", "failed");
    await deliver();
    pass(40 * SECOND_MS);
    await deliver();
    expect(posted().map(({ title }) => title)).toEqual(["Shop 1 is down", "15 monitors are down"]);
    pass(20 * SECOND_MS);
    await deliver();
    expect(posted().at(-1)?.title).toBe("14 monitors are down");
    expect(posted()).toHaveLength(3);
  });

  test("get a digest that was tried in vain under the same id, with what is so by then", async () => {
    const { add, addMonitors, checkAll, deliver, posted, pass, target, deliveries } = await start();
    const id = await add();
    const monitors = await addMonitors(12);
    target.set(status(502));
    await checkAll(monitors, "ok", "ok", "failed", "failed", "failed");
    await deliver();
    const [waiting] = await deliveries(id);
    expect(waiting).toMatchObject({ event: "digest", state: "waiting" });
    await checkAll(monitors.slice(0, 1), "ok", "ok", "ok");
    target.set(respond());
    await deliver();
    pass(HOUR_MS);
    await deliver();
    expect(posted().map(({ title }) => title)).toEqual(["12 monitors are down", "11 monitors are down"]);
    expect(await deliveries(id)).toMatchObject([{ uuid: waiting?.uuid, state: "sent" }]);
    await checkAll(monitors.slice(1, 2), "ok", "ok", "ok");
    await deliver();
    expect(posted().at(-1)?.title).toBe("Shop 2 is up again");
  });

  test("are not sent the end of what a refused digest said, and are sent anew what goes on", async () => {
    const { add, addMonitors, checkAll, deliver, posted, target, deliveries, pass } = await start();
    const id = await add();
    const monitors = await addMonitors(13);
    target.set(status(400));
    await checkAll(monitors, "ok", "ok", "failed", "failed", "failed");
    await deliver();
    target.set(respond());
    await checkAll(monitors.slice(0, 2), "ok", "ok", "ok");
    await deliver();
    expect(posted().map(({ title }) => title)).toEqual(["13 monitors are down"]);
    pass(HOUR_MS / 2);
    await deliver();
    expect(posted().map(({ title }) => title)).toEqual(["13 monitors are down", "11 monitors are down"]);
    expect((await deliveries(id)).map(({ state }) => state)).toEqual(["sent", "failed"]);
  });

  test("are sent no digest of the end of what never got there", async () => {
    const { add, addMonitors, checkAll, deliver, posted, target, deliveries, pass } = await start();
    const id = await add();
    const monitors = await addMonitors(12);
    target.set(status(400));
    await checkAll(monitors, "ok", "ok", "failed", "failed", "failed");
    await deliver();
    target.set(respond());
    await checkAll(monitors, "ok", "ok", "ok");
    await deliver();
    pass(HOUR_MS);
    await deliver();
    expect(posted().map(({ title }) => title)).toEqual(["12 monitors are down"]);
    expect((await deliveries(id)).map(({ state }) => state)).toEqual(["failed"]);
  });

  test("are sent in their hours, in one message, what is still so of what came outside of them", async () => {
    const { add, addMonitors, checkAll, deliver, posted, pass } = await start();
    await add({ hours: { from: "18:00", to: "20:00" }, language: "de", timeZone: "Europe/Berlin" });
    const [over, ...open] = (await addMonitors(3)) as [number, number, number];
    const [critical] = (await addMonitors(1, { name: "Bank", severity: "critical" })) as [number];
    await checkAll([over, ...open, critical], "ok", "ok", "failed", "failed", "failed");
    await checkAll([over], "ok", "ok", "ok");
    await deliver();
    expect(posted().map(({ title }) => title)).toEqual(["Bank ist ausgefallen"]);
    await checkAll([critical], "ok", "ok", "ok");
    await deliver();
    expect(posted().at(-1)?.title).toBe("Bank funktioniert wieder");
    pass(4 * HOUR_MS);
    await deliver();
    expect(posted().map(({ title }) => title)).toEqual(["Bank ist ausgefallen", "Bank funktioniert wieder"]);
    pass(HOUR_MS);
    await deliver();
    expect(posted().at(-1)?.title).toBe("Während der Ruhezeit: 2 Monitore sind ausgefallen");
    expect(posted()).toHaveLength(3);
    await checkAll(open, "ok", "ok", "ok");
    pass(12 * HOUR_MS);
    await deliver();
    expect(
      posted()
        .slice(3)
        .map(({ title }) => title),
    ).toEqual(["Shop 2 funktioniert wieder", "Shop 3 funktioniert wieder"]);
  });

  test("have a log that says behind which message one waits; the incident says until when quiet hours hold it", async () => {
    const { add, check, deliver, deliveries, target, server } = await start();
    const held = await add({ hours: { from: "20:00", to: "21:00" } });
    const id = await add({ type: "webhook" });
    target.set(status(502));
    await check("ok", "ok", "failed", "failed", "failed");
    await deliver();
    const [{ id: incidentId }] = (await server.api("GET", "/api/incidents")).body.data;
    const log = async () => (await server.api("GET", `/api/incidents/${incidentId}/deliveries`)).body;
    const { channels } = await log();
    expect(channels.find((channel: { id: number }) => channel.id === held)).toMatchObject({
      ...{ state: "waiting", why: "quiet_hours" },
      nextAt: expect.stringContaining("T20:00:00"),
    });
    await check("ok", "ok", "ok");
    await deliver();
    expect(await deliveries(held)).toEqual([]);
    const waiting = [
      { event: "monitor.up", isBehind: true },
      { event: "monitor.down", isBehind: false },
    ];
    expect(await deliveries(id)).toMatchObject(waiting);
    const { data } = await log();
    expect(data.filter(({ channelId }: { channelId: number }) => channelId === id)).toMatchObject(waiting);
  });

  test("are sent at once what was held, when their hours are changed", async () => {
    const { add, addMonitors, checkAll, deliver, posted, server } = await start();
    const id = await add({ hours: { from: "20:00", to: "21:00" } });
    const monitors = await addMonitors(1);
    await checkAll(monitors, "ok", "ok", "failed", "failed", "failed");
    await deliver();
    expect(posted()).toEqual([]);
    await server.api("PUT", `/api/notifications/channels/${id}`, { hours: {} });
    await deliver();
    expect(posted().map(({ title }) => title)).toEqual(["Shop 1 is down"]);
  });
});
