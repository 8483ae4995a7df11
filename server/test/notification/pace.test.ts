import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Pace, type Plan, planOf, type Untold } from "../../src/notification/channel/pace.ts";

const NOON = Date.UTC(2026, 10, 23, 12);
const SECOND_MS = 1_000;

const untold = (count: number, own: Partial<Untold> = {}): Untold[] =>
  Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    threadId: index + 1,
    incidentId: index + 1,
    monitorId: index + 1,
    event: "monitor.down",
    severity: "high",
    createdAt: NOON,
    isEnd: own.event === "monitor.up",
    isOver: false,
    isTold: false,
    isHeld: false,
    saidBy: [],
    isShared: false,
    ...own,
  }));

const pace = (own: Partial<Pace> = {}): Pace => ({
  hours: null,
  timeZone: "UTC",
  isProgram: false,
  sentAt: [],
  followedAt: null,
  ...own,
});

const ago = (...seconds: number[]) => seconds.map((each) => NOON - each * SECOND_MS);
const ids = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describe("messages of a channel", () => {
  const cases: [string, Untold[], Pace, Partial<Plan>][] = [
    ["the first goes at once", untold(1), pace(), {}],
    ["ten at once go one by one", untold(10), pace(), {}],
    ["eleven at once are one", untold(11), pace(), { digest: { ids: ids(11), isSummary: false } }],
    [
      "what soon follows another waits five seconds for more",
      untold(2),
      pace({ sentAt: ago(3) }),
      { waiting: { ids: [1, 2], until: NOON + 5 * SECOND_MS } },
    ],
    ["and goes then", untold(2, { createdAt: NOON - 5 * SECOND_MS }), pace({ sentAt: ago(8) }), {}],
    ["an hour later nothing waits", untold(1), pace({ sentAt: ago(3_600) }), {}],
    ["nor for a clock that was an hour ahead", untold(1), pace({ sentAt: ago(-3_600) }), {}],
    [
      "another server's clock that is a second ahead changes nothing",
      untold(900),
      pace({ sentAt: ago(-1, 4), followedAt: NOON - SECOND_MS }),
      { waiting: { ids: ids(900), until: NOON + 61 * SECOND_MS } },
    ],
    [
      "the second message of a burst comes five seconds after the first",
      untold(3),
      pace({ sentAt: ago(2), followedAt: NOON - 5 * SECOND_MS }),
      { waiting: { ids: ids(3), until: NOON + 3 * SECOND_MS } },
    ],
    [
      "and says all of it",
      untold(3),
      pace({ sentAt: ago(5), followedAt: NOON - 5 * SECOND_MS }),
      { digest: { ids: ids(3), isSummary: false } },
    ],
    [
      "the third comes a minute after the second",
      untold(900),
      pace({ sentAt: ago(10, 15), followedAt: NOON - 5 * SECOND_MS }),
      { waiting: { ids: ids(900), until: NOON + 50 * SECOND_MS } },
    ],
    [
      "what waited in a burst is one message, also where it is little",
      untold(3),
      pace({ sentAt: ago(61, 66), followedAt: NOON - 5 * SECOND_MS }),
      { digest: { ids: ids(3), isSummary: false } },
    ],
    [
      "what came a minute before what waits is no part of it",
      untold(3, { createdAt: NOON - 5 * SECOND_MS }),
      pace({ sentAt: ago(10), followedAt: NOON - 66 * SECOND_MS }),
      {},
    ],
    [
      "what waits since a burst is part of it for two minutes",
      untold(3, { createdAt: NOON - 300 * SECOND_MS }),
      pace({ sentAt: ago(10, 15), followedAt: NOON - 179 * SECOND_MS }),
      { waiting: { ids: ids(3), until: NOON + 50 * SECOND_MS } },
    ],
    [
      "the only one of a burst is itself",
      untold(1),
      pace({ sentAt: ago(30), followedAt: NOON - 5 * SECOND_MS }),
      {},
    ],
    [
      "the end of what never got there is told nobody",
      [
        ...untold(12),
        ...untold(12, { event: "monitor.up" }).map((one) => ({ ...one, id: one.id + 20 })),
      ].slice(6),
      pace(),
      {
        digest: { ids: [7, 8, 9, 10, 11, 12, 27, 28, 29, 30, 31, 32], isSummary: false },
        unheard: [21, 22, 23, 24, 25, 26],
      },
    ],
    [
      "a program is told of each",
      untold(50),
      pace({ isProgram: true, sentAt: ago(1), followedAt: NOON - 5 * SECOND_MS }),
      {},
    ],
  ];
  test.each(cases)("%s", (_, waiting, how, expected) => {
    expect(planOf(waiting, how, NOON)).toEqual({
      held: null,
      waiting: null,
      over: [],
      outdated: [],
      unheard: [],
      digest: null,
      ...expected,
    });
  });

  test("are two in the first minute, however many events come and however they come", () => {
    const arrivals = fc.array(fc.integer({ min: 0, max: 59_999 }), { minLength: 300, maxLength: 400 });
    fc.assert(
      fc.property(arrivals, (offsets) => {
        // So many come in each second that it is a burst before a single one is due.
        const times = [...offsets, ...ids(600).map((id) => id * 100)].sort((a, b) => a - b);
        expect(simulate(times).filter(({ at }) => at < 60_000).length).toBeLessThanOrEqual(2);
      }),
      { numRuns: 20 },
    );
  });

  test("say each event once, sooner or later", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 300_000 }), { maxLength: 60 }), (offsets) => {
        const told = simulate(offsets.sort((a, b) => a - b)).flatMap(({ said }) => said);
        expect(told.sort((a, b) => a - b)).toEqual(offsets.map((_, index) => index));
      }),
      { numRuns: 50 },
    );
  });
});

/** What a channel is sent of events at these times, by a sender that looks four times a second. */
function simulate(times: readonly number[]): { at: number; said: number[] }[] {
  const messages: { at: number; said: number[] }[] = [];
  const due = times.map((at, index) => ({
    ...(untold(1)[0] as Untold),
    id: index,
    threadId: index,
    createdAt: at,
  }));
  const notBefore = new Map<number, number>();
  let left = due;
  for (let now = 0; left.length > 0 && now < 2_000_000; now += 250) {
    const known = due.filter(({ createdAt }) => createdAt <= now);
    const own = left.filter(({ id, createdAt }) => createdAt <= now && (notBefore.get(id) ?? 0) <= now);
    const sentAt = messages.slice(-2).map(({ at }) => at);
    const followedAt = known.map(({ createdAt }) => createdAt).toSorted((a, b) => b - a)[10] ?? null;
    const { waiting, digest } = planOf(own, pace({ sentAt, followedAt }), now);
    for (const id of waiting?.ids ?? []) notBefore.set(id, waiting?.until ?? 0);
    const first = own.find(({ id }) => !waiting?.ids.includes(id));
    const said = digest?.ids ?? (first ? [first.id] : []);
    if (said.length > 0) messages.push({ at: now, said });
    left = left.filter(({ id }) => !said.includes(id));
  }
  return messages;
}

describe("outside of a channel's hours", () => {
  const hours = { from: "22:00", to: "06:00" };
  const opens = NOON + 10 * 3_600_000;

  test("messages wait until they begin", () => {
    expect(planOf(untold(2), pace({ hours }), NOON).held).toEqual({ ids: [1, 2], until: opens });
  });

  test("what is critical, and the end of what was told, does not wait", () => {
    const critical = untold(1, { severity: "critical" });
    const end = untold(1, { event: "monitor.up", isTold: true });
    expect(planOf(critical, pace({ hours }), NOON).held).toBeNull();
    expect(planOf(end, pace({ hours }), NOON).held).toBeNull();
  });

  test("and when they begin, one says what is still true", () => {
    const [a, b, c, d] = untold(4, { isHeld: true }) as [Untold, Untold, Untold, Untold];
    const ofA = { threadId: a.threadId, incidentId: a.incidentId };
    const waited = [a, { ...b, isOver: true }, { ...c, ...ofA }, d];
    const plan = planOf(waited, pace({ hours }), opens);
    expect(plan).toMatchObject({ over: [2], outdated: [1], digest: { ids: [3, 4], isSummary: true } });
    expect(planOf([{ ...b, isOver: true }], pace({ hours }), opens)).toMatchObject({
      over: [2],
      digest: null,
    });
    expect(planOf([a], pace({ hours }), opens)).toMatchObject({ over: [], digest: null, held: null });
  });

  test("and of several troubles of one thread each is said", () => {
    const [a, b] = untold(2, { isHeld: true, threadId: 1 }) as [Untold, Untold];
    const digestOf = (waited: Untold[]) => planOf(waited, pace({ hours }), opens).digest?.ids ?? null;
    expect(digestOf([a, b])).toEqual([1, 2]);
    expect(digestOf([a, { ...b, incidentId: 1 }])).toBeNull();
    const flap = { ...b, event: "monitor.flapping" as const, monitorId: 1, incidentId: null };
    expect(digestOf([a, flap])).toBeNull();
    expect(digestOf([{ ...a, isShared: true }, flap])).toEqual([1, 2]);
  });

  test("the end of what is not said is said to nobody", () => {
    const [begun, end] = untold(2, { threadId: 1, isTold: true }) as [Untold, Untold];
    const over = { ...end, event: "monitor.up" as const, isEnd: true, saidBy: [begun.id] };
    const unheardOf = (all: Untold[], at: number) => planOf(all, pace({ hours }), at).unheard;
    expect(unheardOf([begun, over], NOON)).toEqual([over.id]);
    expect(unheardOf([over], NOON)).toEqual([over.id]);
    expect(unheardOf([begun, over], opens)).toEqual([]);
    expect(unheardOf([{ ...begun, isHeld: true, isOver: true }, over], opens)).toEqual([over.id]);
    expect(unheardOf([{ ...over, saidBy: [] }], NOON)).toEqual([]);
  });

  test("a program gets them one by one", () => {
    const plan = planOf(untold(3, { isHeld: true }), pace({ hours, isProgram: true }), opens);
    expect(plan.digest).toBeNull();
  });
});
