import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { NO_PHASES } from "../../../src/checks/check.ts";
import {
  DamagedPackError,
  HOUR_MS,
  type PackKey,
  packResults,
  unpackResults,
  unpackTimes,
} from "../../../src/engine/results/pack-format.ts";
import type { StoredResult } from "../../../src/engine/results/stored-result.ts";
import { anyText } from "../../harness/any-text.ts";
import { aReason } from "../../harness/reasons.ts";
import { makeResult } from "../../harness/results.ts";
import { hourOfResults } from "./packed-hours.ts";

const KEY: PackKey = { monitorId: 1, locationId: 1, hourAt: Date.UTC(2026, 10, 21, 9) };

/** Small, awkward and enormous ones, not there, and in clusters as real ones are. */
const duration = fc.oneof(
  fc.constant(null),
  fc.integer({ min: 40_000, max: 60_000 }),
  fc.nat(),
  fc.maxSafeNat(),
  fc.maxSafeInteger(),
);
const text = fc.oneof(
  fc.constantFrom("timeout", "", "漢字 🛰\u2028", "half \ud83d of a pair", "nul \0", '"\\'),
  anyText(),
);
const someMessage = fc
  .option(text)
  .map((said) => (said === null ? null : { code: said, params: { said, length: said.length } }));
const someResult: fc.Arbitrary<StoredResult> = fc.record({
  monitorId: fc.constant(KEY.monitorId),
  locationId: fc.constant(KEY.locationId),
  scheduledAt: fc.oneof(
    fc.nat(HOUR_MS - 1).map((offset) => KEY.hourAt + offset),
    fc.nat(359).map((i) => KEY.hourAt + i * 10_000 + 1_234),
  ),
  outcome: fc.constantFrom(0, 1, 2, 3),
  statusCode: fc.oneof(fc.constant(null), fc.constantFrom(200, 503), fc.maxSafeInteger()),
  dnsUs: duration,
  connectUs: duration,
  tlsUs: duration,
  firstByteUs: duration,
  transferUs: duration,
  totalUs: duration,
  reason: someMessage,
  message: someMessage,
  maintenance: fc.constantFrom(0, 1),
});

/** What packing must keep: each time's first result, by time. */
function expected(results: readonly StoredResult[]): StoredResult[] {
  const byTime = new Map<number, StoredResult>();
  for (const result of results) if (!byTime.has(result.scheduledAt)) byTime.set(result.scheduledAt, result);
  return [...byTime.values()].sort((a, b) => a.scheduledAt - b.scheduledAt);
}

describe("a pack", () => {
  it("gives back any results exactly, whatever their order, values and texts", () => {
    const results = fc.array(someResult, { maxLength: 150, size: "max" });
    fc.assert(
      fc.property(results, (list) => {
        const bytes = packResults(KEY, list);
        expect(unpackResults(KEY, bytes)).toEqual(expected(list));
        expect(unpackTimes(KEY, bytes)).toEqual(expected(list).map(({ scheduledAt }) => scheduledAt));
      }),
      { numRuns: 300 },
    );
  });

  it("of many similar results gives them back exactly, with outages and rechecks between", () => {
    const seeds = fc.tuple(fc.integer(), fc.constantFrom(10, 30, 60, 300), fc.boolean(), fc.boolean());
    fc.assert(
      fc.property(seeds, ([seed, intervalSeconds, https, exact]) => {
        const options = { seed, intervalSeconds, https, exact, outages: true };
        const results = hourOfResults(KEY, options);
        expect(unpackResults(KEY, packResults(KEY, results))).toEqual(results);
      }),
      { numRuns: 60 },
    );
  });

  it.each([
    ["http", 10, 3],
    ["http", 30, 3],
    ["http", 60, 3.5],
    ["https", 10, 5.2],
    ["https", 30, 5.4],
    ["https", 60, 5.8],
  ])("of an hour of %s every %i s takes at most %d bytes a result", (kind, intervalSeconds, most) => {
    const options = { seed: 7, intervalSeconds, https: kind === "https" };
    const results = hourOfResults(KEY, options);
    expect(packResults(KEY, results).length / results.length).toBeLessThanOrEqual(most);
  });

  it("takes a few bytes more for an outage than for an hour without one", () => {
    const [well, ill] = [false, true].map((outages) =>
      packResults(KEY, hourOfResults(KEY, { seed: 7, intervalSeconds: 10, https: true, outages })),
    );
    expect((ill as Uint8Array).length).toBeLessThan(1.15 * (well as Uint8Array).length);
  });

  it("refuses results of another monitor, location or hour, and what is no whole number", () => {
    for (const wrong of [
      { monitorId: 2 },
      { locationId: 2 },
      { scheduledAt: KEY.hourAt + HOUR_MS },
      { scheduledAt: KEY.hourAt - 1 },
    ]) {
      expect(() => packResults(KEY, [makeResult(), makeResult(wrong)])).toThrow(RangeError);
    }
    for (const value of [0.5, Number.NaN, 2 ** 53]) {
      expect(() => packResults(KEY, [makeResult({ dnsUs: value })])).toThrow(RangeError);
      expect(() => packResults(KEY, [makeResult({ statusCode: value })])).toThrow(RangeError);
    }
    expect(() => packResults(KEY, [makeResult({ outcome: 4 as never })])).toThrow(RangeError);
  });
});

describe("a pack of format 1", () => {
  /** Written by the program of then: two passed checks, one that timed out, a slow one with odd durations. */
  const bytes = Buffer.from(
    "AXsl3yA0AAAAi1YqycxNzS8tUdJRCsnMTU1RyC8tUUhMK0ktUjA0UCjWU9JRKs7JL1fSUQrOyS/XU4oFAA4F/QEepgBY/CcgAAog" +
      "YVNQnIBYcQoCzQ4AAAvrAyhhqAAAEJykmmwbBB4UesoKgAFL2Qilv6g3RPgAAAGZiWgAH7SA",
    "base64",
  );
  const timedOut = { reason: aReason("timeout", "Timed out after 10 s.") };
  const wanted = [
    { dnsUs: 1_500, connectUs: 20_050, tlsUs: 30_000, firstByteUs: 60_200, totalUs: 112_000 },
    { dnsUs: 0, connectUs: 25_000, tlsUs: 31_000, firstByteUs: 58_000, totalUs: 114_600 },
    { ...NO_PHASES, dnsUs: 2, totalUs: 10_000_000, outcome: 1, statusCode: null, ...timedOut },
    { ...NO_PHASES, connectUs: 25_001, firstByteUs: 61_001, totalUs: 86_003, outcome: 2 },
  ].map((result, i) => ({ ...makeResult(result as object), scheduledAt: KEY.hourAt + 60_000 * i + 1_000 }));
  const slow = { ...(wanted[3] as StoredResult), reason: aReason("slow", "Slow.") };
  const results = [...wanted.slice(0, 3), slow];

  it("is read as it was written, without a transfer", () => {
    expect(unpackResults(KEY, bytes)).toEqual(results);
    expect(results.every(({ transferUs }) => transferUs === null)).toBe(true);
  });

  it("that a late result is added to becomes one of today's format, and the others stay as they were", () => {
    const late = makeResult({ scheduledAt: KEY.hourAt + 240_000, transferUs: 900 });
    const merged = packResults(KEY, [...unpackResults(KEY, bytes), late]);
    expect([merged[0], unpackResults(KEY, merged)]).toEqual([3, [...results, late]]);
  });
});

describe("a pack of format 2", () => {
  /** Written by the program of then: a passed check, one that timed out, a slow one. */
  const bytes = Buffer.from(
    "AmjZhBM0AAAAi1YqycxNzS8tUdJRCsnMTU1RyC8tUUhMK0ktUjA0UCjWU9JRKs7JL1fSUQrOyS/XU4oFAAsL+gI9TACx3CcgAAkQMKjc" +
      "JyAWHEKAzS70AgABzDIIMM5YgmUegI4AB0PJAA==",
    "base64",
  );
  const results = [
    { transferUs: 300 },
    {
      ...NO_PHASES,
      dnsUs: 2,
      totalUs: 10_000_000,
      outcome: 1 as const,
      statusCode: null,
      reason: aReason("timeout", "Timed out after 10 s."),
    },
    { outcome: 2 as const, reason: aReason("slow", "Slow.") },
  ].map((result, i) => makeResult({ ...result, scheduledAt: KEY.hourAt + 60_000 * i + 1_000 }));

  it("is read as it was written, its sentences as texts of their class", () => {
    expect(unpackResults(KEY, bytes)).toEqual(results);
  });
});

describe("a damaged pack", () => {
  const bytes = packResults(
    KEY,
    hourOfResults(KEY, { seed: 3, intervalSeconds: 30, https: true, outages: true }),
  );

  it("is found out whichever bit has changed", () => {
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.nat(7), (at, bit) => {
        const damaged = bytes.slice();
        damaged[at] = (damaged[at] as number) ^ (1 << bit);
        expect(() => unpackResults(KEY, damaged)).toThrow(DamagedPackError);
        expect(() => unpackTimes(KEY, damaged)).toThrow(DamagedPackError);
      }),
      { numRuns: 400 },
    );
  });

  it("is found out at any length, and so are bytes that never were one", () => {
    for (let length = 0; length < bytes.length; length += 7) {
      expect(() => unpackResults(KEY, bytes.subarray(0, length))).toThrow(DamagedPackError);
    }
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (noise) => {
        expect(() => unpackResults(KEY, noise)).toThrow(DamagedPackError);
      }),
    );
  });

  it("is found out under another monitor's name, location or hour", () => {
    for (const other of [{ monitorId: 2 }, { locationId: 2 }, { hourAt: KEY.hourAt + HOUR_MS }]) {
      expect(() => unpackResults({ ...KEY, ...other }, bytes)).toThrow(/checksum/);
    }
  });

  it("says whose hour it is, and one of a newer format says that", () => {
    const newer = bytes.slice();
    newer[0] = 4;
    expect(() => unpackResults(KEY, newer)).toThrow(
      "The packed results of monitor 1, location 1, hour 2026-11-21T09:00:00.000Z cannot be read: it has format 4, and this version knows formats up to 3.",
    );
  });
});
