import { describe, expect, test } from "vitest";
import { digestOf } from "../../../src/alerts/channels/digest.ts";
import { type Message, newMessage } from "../../../src/alerts/channels/message.ts";
import { briefText, wordsOf } from "../../../src/alerts/channels/message-words.ts";
import type { MessageMonitor } from "../../../src/monitors/queries/monitor-names.ts";
import { type MessageDescriptor, msg } from "../../../src/platform/i18n/message.ts";
import { LANGUAGES } from "../../../src/platform/i18n/render.ts";

const AT = Date.UTC(2026, 10, 23, 11, 1);
const since = new Date(AT).toISOString();
const because: MessageDescriptor = { code: "text", params: { text: "A." } };

const MONITOR: MessageMonitor = {
  ...{ id: 1, uuid: "", kind: "domain", name: "Shop", type: "http", target: "https://shop.example/" },
  ...{ severity: "high", tags: [] },
};

const of = (event: Message["event"], received: MessageDescriptor, known: Partial<Message> = {}): Message =>
  newMessage({ event, type: "error", at: AT, descriptor: received, monitor: MONITOR, ...known });

const inAll = (message: Message) =>
  LANGUAGES.map((language) => {
    const { title, text } = wordsOf(message, { language, timeZone: "UTC" }, { now: AT, publicUrl: null });
    return `${title} | ${text}`;
  });

describe("what a message says of an incident", () => {
  const about = (title: MessageDescriptor | string, received: MessageDescriptor) =>
    of("incident.resolved", received, { monitor: null, incidentId: 7, title });
  const over = msg("incident.down_over", { name: "Shop" });
  const said = msg("notification.incident_said", { said: "Fixed." });

  const old = { ...said, params: { ...said.params, title: "Shop is down" } };

  test("its title in the reader's language, once, and what a person wrote", () => {
    expect(inAll(about(over, said))).toEqual([
      "Shop was down: resolved | Fixed.",
      "Shop war ausgefallen: behoben | Fixed.",
      "Shop 曾发生故障：已解决 | Fixed.",
    ]);
  });

  test("the title that a person wrote, and the one of a message that an older version wrote", () => {
    expect(inAll(about("Shop is down", said))[0]).toBe("Shop is down: resolved | Fixed.");
    expect(inAll(of("incident.resolved", old, { monitor: null }))[0]).toBe("Shop is down: resolved | Fixed.");
  });
});

test("a message names the address of a domain, and none of a device, which is named by what reports it", () => {
  const device: MessageMonitor = { ...MONITOR, kind: "device", type: "agent", target: "agent" };
  const valuesOf = (monitor: MessageMonitor) =>
    wordsOf(
      of("monitor.down", msg("notification.down", { name: "Shop", since }), { monitor }),
      { language: "en", timeZone: "UTC" },
      { now: AT, publicUrl: null },
    ).details.map(({ value }) => value);
  expect(valuesOf(MONITOR)).toContain(MONITOR.target);
  expect(valuesOf(device)).not.toContain("agent");
});

describe("what a message says of a monitor: the reason, and not its name again", () => {
  test.each([
    [
      of("monitor.down", { ...msg("notification.down", { name: "Shop", since }), because }),
      [
        "Shop is down | A. Down since",
        "Shop ist ausgefallen | A. Ausgefallen seit",
        "Shop 发生故障 | A.故障始于",
      ],
    ],
    [
      of("monitor.degraded", { ...msg("notification.degraded", { name: "Shop", since }), because }),
      [
        "Shop is degraded | A. Degraded since",
        "Shop ist beeinträchtigt | A. Beeinträchtigt seit",
        "Shop 性能下降 | A.性能下降始于",
      ],
    ],
    [
      of("reminder", { ...msg("notification.reminder", { name: "Shop", lasted: 900_000 }), because }),
      [
        "Shop is still down | A. Down since 11:01 (UTC), for 15 minutes now. It has",
        "Shop ist immer noch ausgefallen | A. Ausgefallen seit 11:01 (UTC), inzwischen 15 Minuten lang.",
        "Shop 仍未恢复 | A.故障始于 11:01 (UTC)，已持续 15 分钟，尚未确认。",
      ],
    ],
    [
      of("monitor.flapping", { ...msg("notification.flapping", { name: "Shop" }), because }),
      [
        "Shop is flapping | A. It keeps going down",
        "Shop fällt immer wieder aus | A. Der Monitor fällt",
        "Shop 反复发生故障 | A.该监控项反复",
      ],
    ],
    [
      of("monitor.up", msg("notification.recovered", { name: "Shop", since, lasted: 120_000 })),
      [
        "Shop is up again | Up again since 11:01 (UTC), after 2 minutes.",
        "Shop funktioniert wieder | Funktioniert wieder seit 11:01 (UTC); der Ausfall dauerte 2 Minuten.",
        "Shop 已恢复 | 恢复于 11:01 (UTC)，故障持续了 2 分钟。",
      ],
    ],
    [
      of("monitor.up", msg("notification.up", { name: "Shop", since })),
      [
        "Shop is up again | Fully up again since",
        "Shop funktioniert wieder | Wieder ganz in Ordnung seit",
        "Shop 已恢复 | 完全恢复于",
      ],
    ],
    [
      of("monitor.settled", msg("notification.stable_up", { name: "Shop", since, unstable: 120_000 }), {
        type: "success",
      }),
      [
        "Shop is stable again | Up since",
        "Shop läuft wieder stabil | Seit 11:01 (UTC) ohne",
        "Shop 已恢复稳定 | 自 11:01",
      ],
    ],
    [
      of("monitor.settled", msg("notification.stable_down", { name: "Shop", since, unstable: 120_000 })),
      ["Shop stays down | Down since", "Shop bleibt ausgefallen | Seit", "Shop 持续故障 | 自 11:01"],
    ],
  ])("%o", (message, beginnings) => {
    for (const [index, words] of inAll(message).entries())
      expect(words.startsWith(beginnings[index] ?? "?"), words).toBe(true);
  });
});

describe("what else a message says", () => {
  const down = of("monitor.down", msg("notification.down", { name: "Shop", since }));
  const detailsOf = (message: Message) =>
    LANGUAGES.map((language) => {
      const saying = { now: AT, publicUrl: null };
      return wordsOf(message, { language, timeZone: "UTC" }, saying)
        .details.map(({ label, value }) => `${label}: ${value}`)
        .join(" | ");
    });

  test("from where it fails, also where that is this installation alone", () => {
    expect(detailsOf({ ...down, locations: ["local"] })).toEqual([
      "Address: https://shop.example/ | Failing from: the Vedette server | Severity: High",
      "Adresse: https://shop.example/ | Ausfall bemerkt von: Vedette-Server | Schweregrad: Hoch",
      "地址: https://shop.example/ | 异常监测点: Vedette 服务器 | 严重程度: 高",
    ]);
    expect(detailsOf({ ...down, locations: ["fra", "local"] })[0]).toContain("fra, the Vedette server");
  });

  const incident = {
    severity: "critical" as const,
    startedAt: AT - 600_000,
    resolvedAt: AT,
    acknowledged: { by: "Ada", at: AT - 300_000 },
  };

  test("the incident's severity where several are down, and no address of one where all are meant", () => {
    const among = msg("notification.down_among", {
      name: "API",
      since: "2026-11-24T11:01:00Z",
      count: 3,
      lead: "Shop",
    });
    expect(detailsOf({ ...down, descriptor: among, incident })[0]).toContain("Severity: Critical");
    const members = { names: ["Shop", "API"], count: 2 };
    expect(detailsOf({ ...down, members, incident })[0]).toMatch(/^Severity: Critical/);
    expect(detailsOf({ ...down, incident })[0]).toMatch(/^Address: .*Severity: High/);
  });

  test("who looks after it, and of what people write since when and how long", () => {
    expect(detailsOf({ ...down, incident })[0]).toMatch(/Acknowledged by: Ada, 10:56 \(UTC\)$/);
    const written = of("incident.resolved", msg("notification.incident_said", { said: "Fixed." }), {
      incident,
    });
    expect(detailsOf({ ...written, monitor: null })).toEqual([
      "Since: 10:51 (UTC) | Lasted: 10 minutes | Acknowledged by: Ada, 10:56 (UTC)",
      "Seit: 10:51 (UTC) | Dauer: 10 Minuten | Quittiert von: Ada, 10:56 (UTC)",
      "开始于: 10:51 (UTC) | 持续: 10 分钟 | 确认人: Ada，10:56 (UTC)",
    ]);
  });

  test("where there is little room: from where, and who looks after it", () => {
    const reader = { language: "en", timeZone: "UTC" } as const;
    const words = wordsOf({ ...down, locations: ["fra"], incident }, reader, { now: AT, publicUrl: null });
    expect(briefText(words)).toBe(
      "Down since 11:01 (UTC).\nFailing from: fra\nAcknowledged by: Ada, 10:56 (UTC)",
    );
  });
});

describe("when it was, in the reader's zone, with no more of the date than they need", () => {
  const HOUR_MS = 3_600_000;
  const message = of("monitor.down", msg("notification.down", { name: "Shop", since }));
  test.each([
    ["en", "UTC", HOUR_MS, "Down since 11:01 (UTC)."],
    ["de", "Europe/Berlin", HOUR_MS, "Ausgefallen seit 12:01 (MEZ)."],
    ["zh", "Asia/Shanghai", HOUR_MS, "故障始于 19:01 (GMT+8)。"],
    ["zh", "Asia/Shanghai", 5 * HOUR_MS, "故障始于 11月23日 19:01 (GMT+8)。"],
    ["en", "UTC", 13 * HOUR_MS, "Down since Nov 23, 11:01 (UTC)."],
    ["en", "America/New_York", 13 * HOUR_MS, "Down since 06:01 (EST)."],
    ["de", "Europe/Berlin", 13 * HOUR_MS, "Ausgefallen seit 23. Nov., 12:01 (MEZ)."],
    ["en", "UTC", 60 * 24 * HOUR_MS, "Down since Nov 23, 2026, 11:01 (UTC)."],
  ] as const)("%s in %s, %i ms later: %s", (language, timeZone, laterMs, text) => {
    const saying = { now: AT + laterMs, publicUrl: null };
    expect(wordsOf(message, { language, timeZone }, saying).text).toBe(text);
  });
});

describe("the title of several", () => {
  type Item = NonNullable<Message["alert"]>["named"][number];
  const item = (name: string, condition: Item["condition"], own: Partial<Item> = {}): Item => ({
    ...{ name, severity: "high", condition, reason: null, since: AT, until: null, ...own },
  });
  const device = { isDevice: true } as const;
  const titleOf = (event: Message["event"], named: Item[]) =>
    inAll(
      of(event, msg("notification.down", { name: "a", since }), {
        members: { names: named.map(({ name }) => name), count: named.length },
        alert: { named, goingOn: [], recovered: [], missed: [], held: [] },
      }),
    ).map((said) => said.split(" | ")[0]);
  const ended = (was: Item["was"], own: Partial<Item> = {}) => ({ was, ...own });

  test.each([
    ["monitor.down", [item("a", "down"), item("b", "down")], "a and b are down"],
    ["monitor.down", [item("a", "down", device), item("b", "down", device)], "a and b are offline"],
    ["monitor.down", [item("a", "down", device), item("b", "down")], "a and b are down"],
    [
      "monitor.down",
      [item("a", "critical", device), item("b", "critical", device)],
      "a and b are in a critical state",
    ],
    ["monitor.down", [item("a", "critical", device), item("b", "down")], "a and b have problems"],
    ["monitor.degraded", [item("a", "degraded"), item("b", "down")], "a and b have problems"],
    ["monitor.degraded", [item("a", "degraded"), item("b", "degraded")], "a and b are degraded"],
    ["reminder", [item("a", "down"), item("b", "down")], "a and b are still down"],
    ["reminder", [item("a", "critical", device), item("b", "down")], "a and b still have problems"],
    ["monitor.up", [item("a", "ok", ended("down")), item("b", "ok", ended("down"))], "a and b are up again"],
    [
      "monitor.up",
      [item("a", "ok", ended("down", device)), item("b", "ok", ended("down", device))],
      "a and b are online again",
    ],
    [
      "monitor.up",
      [item("a", "ok", ended("critical", device)), item("b", "ok", ended("critical", device))],
      "a and b are healthy again",
    ],
    [
      "monitor.up",
      [item("a", "ok", ended("critical", device)), item("b", "ok", ended("down"))],
      "a and b have recovered",
    ],
  ] as const)("%s of %j", (event, named, title) => {
    const titles = titleOf(event, [...named]);
    expect(titles[0]).toBe(title);
    expect(new Set(titles).size).toBe(3);
  });
});

test("a digest ends with what else goes on in the incidents that it is about", () => {
  const up = of("monitor.up", msg("notification.up", { name: "Shop", since }), { type: "success" });
  const digest = digestOf([up], false, { goingOn: ["API", "Mail"], held: ["Blog"] });
  expect(digest.type).toBe("warning");
  const [english, german, chinese] = inAll(digest);
  expect(english).toMatch(/\nNot recovered yet: API, Mail\.\nAlso down, as they depend on it: Blog\.$/);
  expect(german).toContain("API, Mail");
  expect(chinese).toContain("Blog");
});
