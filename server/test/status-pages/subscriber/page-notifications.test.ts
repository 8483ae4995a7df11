import fc from "fast-check";
import { expect, test } from "vitest";
import type {
  PublicIncident,
  PublicMaintenance,
  PublicPage,
} from "../../../src/status-pages/document/public-page.ts";
import { lookAt } from "../../../src/status-pages/subscriber/follow-pages.ts";
import { knownFromPage } from "../../../src/status-pages/subscriber/maintenance-notifications.ts";
import { concerns, type PageNotification } from "../../../src/status-pages/subscriber/page-notification.ts";

const START = Date.parse("2026-11-23T09:30:00Z");
const MINUTE = 60_000;
const SHOP = { uuid: "shop", name: "Shop" };
const DATABASE = { uuid: "database", name: "Database" };

const pageAt = (now: number, more: Partial<PublicPage>): PublicPage =>
  ({
    ...{ uuid: "page", updatedAt: START + now, incidents: [], history: [], maintenance: [] },
    groups: [{ components: [SHOP, DATABASE] }],
    ...more,
  }) as unknown as PublicPage;

/** An incident with so many updates, a minute apart. */
const incident = (uuid: string, updates: number, more: Partial<PublicIncident> = {}): PublicIncident => ({
  ...{ uuid, title: uuid, impact: "major", status: "open", startedAt: START, resolvedAt: null },
  ...{ updatedAt: START + updates * MINUTE, components: [SHOP], hasOlder: false },
  updates: Array.from({ length: updates }, (_, n) => ({
    ...{ uuid: `${uuid} ${n}`, at: START + n * MINUTE, status: "open", text: `Update ${n}.` },
  })).reverse(),
  ...more,
});

const window = (uuid: string, from: number, to: number, more: Partial<PublicMaintenance> = {}) =>
  ({
    ...{ uuid, title: uuid, description: "", startsAt: START + from, endsAt: START + to },
    ...{ updatedAt: START, isRunning: false, components: [SHOP], ...more },
  }) satisfies PublicMaintenance;

const eventsOf = (notifications: readonly PageNotification[]) => notifications.map(({ event }) => event);

test("an update that the page has room for again is not sent, but one that is new", () => {
  const { updates, ...whole } = incident("one", 5);
  const said = (from: number, to: number, hasOlder: boolean) =>
    ({ incidents: [{ ...whole, updates: updates.slice(from, to), hasOlder }] }) as Partial<PublicPage>;
  let notified = knownFromPage(pageAt(5 * MINUTE, said(1, 3, true)));
  const steps = [said(2, 4, true), said(2, 5, false), said(0, 2, true), said(1, 3, true)].map((more, at) => {
    const look = lookAt(pageAt((6 + at) * MINUTE, more), notified);
    notified = look.notified;
    return look.notifications.flatMap(({ fresh }) => fresh);
  });
  expect(steps).toEqual([[], [], ["one 4"], []]);
});

test("an incident is announced when it opens, when something is said of it, and when it is over", () => {
  let notified = knownFromPage(pageAt(0, {}));
  const steps: string[][] = [];
  const resolved = incident("one", 3, { resolvedAt: START + 8 * MINUTE, status: "resolved" });
  for (const [now, more] of [
    [1, { incidents: [incident("one", 1)] }],
    [2, { incidents: [incident("one", 1)] }],
    [3, { incidents: [incident("one", 3)] }],
    [8, { history: [resolved] }],
    [9, { history: [resolved] }],
    [10, { incidents: [incident("one", 3)] }],
  ] as const) {
    const look = lookAt(pageAt(now * MINUTE, more as unknown as Partial<PublicPage>), notified);
    notified = look.notified;
    steps.push(look.notifications.map(({ event, fresh }) => `${event} ${fresh.length}`));
  }
  expect(steps).toEqual([
    ["incident.opened 1"],
    [],
    ["incident.updated 2"],
    ["incident.resolved 0"],
    [],
    ["incident.updated 0"],
  ]);
});

test("what comes within a minute is sent together when it is over, and read by then", () => {
  const first = lookAt(pageAt(0, { incidents: [incident("one", 1)] }), knownFromPage(pageAt(0, {})));
  const second = lookAt(pageAt(20_000, { incidents: [incident("one", 2)] }), first.notified);
  expect([second.notifications, second.again]).toEqual([[], START + MINUTE]);
  const third = lookAt(pageAt(MINUTE, { incidents: [incident("one", 3)] }), second.notified);
  expect(third.notifications).toMatchObject([{ event: "incident.updated", fresh: ["one 2", "one 1"] }]);
});

test("maintenance is announced when it is planned, begins and ends, and a window that recurs once", () => {
  const before = knownFromPage(pageAt(-MINUTE, {}));
  const planned = [window("first", 10 * MINUTE, 20 * MINUTE, { title: "Upgrade" })];
  const again = window("second", 30 * MINUTE, 40 * MINUTE, { title: "Upgrade" });
  const first = lookAt(pageAt(0, { maintenance: [...planned, again] }), before);
  expect(first.notifications.map(({ event, maintenance }) => [event, maintenance?.uuid])).toEqual([
    ["maintenance.planned", "first"],
  ]);
  expect(first.again).toBe(START + 10 * MINUTE);
  const running = window("first", 10 * MINUTE, 20 * MINUTE, { isRunning: true, title: "Upgrade" });
  const begun = lookAt(pageAt(10 * MINUTE, { maintenance: [running, again] }), first.notified);
  expect(eventsOf(begun.notifications)).toEqual(["maintenance.started"]);
  const ended = lookAt(pageAt(20 * MINUTE, { maintenance: [again] }), begun.notified);
  expect(ended.notifications).toMatchObject([
    { event: "maintenance.ended", maintenance: { components: [SHOP] } },
  ]);
  const later = window("third", 50 * MINUTE, 60 * MINUTE, { title: "Upgrade" });
  expect(lookAt(pageAt(21 * MINUTE, { maintenance: [again, later] }), ended.notified).notifications).toEqual(
    [],
  );
});

test("what a clock that was ahead wrote holds nothing up for more than a minute", () => {
  const day = 1_440 * MINUTE;
  const planned = [window("upgrade", day + 60 * MINUTE, day + 70 * MINUTE, { updatedAt: START + day })];
  const opened = pageAt(day, { incidents: [incident("one", 1)], maintenance: planned });
  const ahead = lookAt(opened, knownFromPage(pageAt(day - MINUTE, {})));
  expect(eventsOf(ahead.notifications)).toEqual(["incident.opened", "maintenance.planned"]);
  const updated = {
    incidents: [incident("one", 2)],
    maintenance: [window("new", 5 * MINUTE, 6 * MINUTE, { updatedAt: START + 2 * MINUTE })],
  };
  const back = lookAt(pageAt(2 * MINUTE, updated), ahead.notified);
  expect([eventsOf(back.notifications), back.again]).toEqual([["maintenance.planned"], START + 3 * MINUTE]);
  const next = lookAt(pageAt(3 * MINUTE, updated), back.notified);
  expect(eventsOf(next.notifications)).toEqual(["incident.updated", "maintenance.withdrawn"]);
});

test("maintenance is not taken back because the page shows no more than fifty", () => {
  const late = window("late", 100 * MINUTE, 110 * MINUTE);
  const first = lookAt(pageAt(0, { maintenance: [late] }), knownFromPage(pageAt(-MINUTE, {})));
  const others = Array.from({ length: 50 }, (_, n) => window(`w${n}`, (10 + n) * MINUTE, (11 + n) * MINUTE));
  const notified = [MINUTE, 2 * MINUTE, 3 * MINUTE].reduce(
    (before, now) => {
      const look = lookAt(pageAt(now, { maintenance: others }), before.notified);
      return { notified: look.notified, events: [...before.events, ...eventsOf(look.notifications)] };
    },
    { notified: first.notified, events: [] as string[] },
  );
  expect(notified.events).not.toContain("maintenance.withdrawn");
  const off = lookAt(pageAt(4 * MINUTE, { maintenance: others.slice(1) }), notified.notified);
  expect(eventsOf(off.notifications)).toContain("maintenance.withdrawn");
});

test("what is on the page again is announced again", () => {
  const shown = { incidents: [incident("one", 1)] };
  let notified = knownFromPage(pageAt(0, {}));
  const steps = [shown, {}, {}, shown, { history: [incident("one", 1, { resolvedAt: START })] }].map(
    (more, at) => {
      const look = lookAt(pageAt((at + 1) * MINUTE, more), notified);
      notified = look.notified;
      return eventsOf(look.notifications);
    },
  );
  expect(steps).toEqual([
    ["incident.opened"],
    [],
    ["incident.withdrawn"],
    ["incident.updated"],
    ["incident.resolved"],
  ]);
});

test("what is older than a day is not announced, and nothing at the first look", () => {
  const page = pageAt(25 * 60 * MINUTE, { incidents: [incident("old", 2)] });
  expect(lookAt(page, knownFromPage(pageAt(0, {}))).notifications).toEqual([]);
  expect(lookAt(page, knownFromPage(page)).notifications).toEqual([]);
});

test("whoever chose components is notified of these", () => {
  const notification: PageNotification = {
    event: "incident.opened",
    incident: incident("one", 1),
    maintenance: null,
    fresh: [],
  };
  expect([null, [], ["shop"], ["database"], ["shop", "x"]].map((own) => concerns(notification, own))).toEqual(
    [true, false, true, false, true],
  );
});

test("whatever happens, subscribers get what the page shows, each update once, an incident once a minute", () => {
  const arbitraryStep = fc.record({
    seconds: fc.integer({ min: 1, max: 90 }),
    shown: fc.array(
      fc.record({
        of: fc.constantFrom("one", "two", "three"),
        updates: fc.integer({ min: 0, max: 6 }),
        isOver: fc.boolean(),
      }),
      { maxLength: 3 },
    ),
  });
  fc.assert(
    fc.property(fc.array(arbitraryStep, { maxLength: 30 }), (steps) => {
      let now = 0;
      let notified = knownFromPage(pageAt(0, {}));
      const signalledAt = new Map<string, number>();
      const receivedUpdates = new Set<string>();
      const seen = new Map<string, number>();
      for (const { seconds, shown } of steps) {
        now += seconds * 1_000;
        const all = [...new Map(shown.map((one) => [one.of, one])).values()].map(
          ({ of, updates, isOver }) => {
            const most = Math.max(seen.get(of) ?? 0, updates);
            seen.set(of, most);
            return incident(of, most, { resolvedAt: isOver ? START + now : null });
          },
        );
        const page = pageAt(now, {
          incidents: all.filter(({ resolvedAt }) => resolvedAt === null),
          history: all.filter(({ resolvedAt }) => resolvedAt !== null),
        });
        const look = lookAt(page, JSON.parse(JSON.stringify(notified)));
        notified = look.notified;
        for (const { incident: one, event, fresh } of look.notifications) {
          const shown = [...page.incidents, ...page.history];
          const uuid = one?.uuid ?? "";
          if (event === "incident.withdrawn") expect(shown.map((own) => own.uuid)).not.toContain(uuid);
          else expect(shown).toContain(one);
          expect(fresh.filter((update) => receivedUpdates.has(update))).toEqual([]);
          for (const update of fresh) receivedUpdates.add(update);
          expect(now - (signalledAt.get(uuid) ?? Number.NEGATIVE_INFINITY)).toBeGreaterThanOrEqual(MINUTE);
          signalledAt.set(uuid, now);
        }
      }
    }),
  );
});
