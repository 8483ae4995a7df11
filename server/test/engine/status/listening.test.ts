import { expect, it, onTestFinished } from "vitest";
import {
  type Break,
  type Listening,
  startListening,
  withBreak,
} from "../../../src/engine/status/late-signals.ts";
import { eachEngine, openTestStore } from "../../harness/stores.ts";

const MINUTE = 60_000;
const T0 = Date.UTC(2026, 10, 21, 9);

/** Sweeps without a break, until `to`. */
async function keepActive(listening: Listening, from: number, to: number) {
  for (let at = from; at < to; at += 4_000) await listening.markActive(at);
  await listening.markActive(to);
}

eachEngine("listening", (engine) => {
  async function store() {
    const opened = await openTestStore(engine);
    onTestFinished(() => opened.close());
    return opened.db;
  }

  it("knows after a restart for how long no signal could arrive, now and before", async () => {
    const db = await store();
    const first = await startListening(db, T0);
    await keepActive(first, T0 + 1_000, T0 + 61_000);
    const second = await startListening(db, T0 + 10 * MINUTE);
    await keepActive(second, T0 + 10 * MINUTE, T0 + 11 * MINUTE);
    const third = await startListening(db, T0 + 20 * MINUTE);
    expect(third.breaks(T0 + 20 * MINUTE)).toEqual([
      { from: 0, to: T0 },
      { from: T0 + 61_000, to: T0 + 10 * MINUTE },
      { from: T0 + 11 * MINUTE, to: T0 + 20 * MINUTE },
    ]);
  });

  it("takes for a break that the machine slept, and that the store was away", async () => {
    const listening = await startListening(await store(), T0);
    await listening.markActive(T0 + 4_000);
    await listening.markActive(T0 + 8_000);
    expect(listening.breaks(T0 + 13_000)).toHaveLength(1);
    expect(listening.breaks(T0 + MINUTE).at(-1)).toEqual({ from: T0 + 8_000, to: T0 + MINUTE });
    await keepActive(listening, T0 + MINUTE, T0 + 2 * MINUTE);
    listening.interrupted(T0 + 2 * MINUTE + 500);
    listening.interrupted(T0 + 2 * MINUTE + 900);
    const at = T0 + 2 * MINUTE + 900;
    expect(listening.breaks(at).at(-1)).toEqual({ from: T0 + 2 * MINUTE, to: at });
    expect(listening.since(at)).toBe(at);
  });

  it("takes for a break that the machine slept in the middle of a sweep", async () => {
    const listening = await startListening(await store(), T0);
    await keepActive(listening, T0, T0 + MINUTE);
    const woken = T0 + 8 * 60 * MINUTE;
    expect(listening.since(T0 + MINUTE + 1_000)).toBe(T0);
    await listening.markActive(woken);
    expect(listening.breaks(woken).at(-1)).toEqual({ from: T0 + MINUTE, to: woken });
    expect(listening.since(woken)).toBe(woken);
  });
});

it("forgets the times of a clock that was set back, and breaks of long ago", () => {
  const breaks = [1, 2, 3].map((hour) => ({ from: hour * 60 * MINUTE, to: hour * 60 * MINUTE + 9 }));
  const setBack = withBreak(breaks, { from: 200 * MINUTE, to: 100 * MINUTE });
  expect(setBack).toEqual([breaks[0], { from: 100 * MINUTE, to: 100 * MINUTE }]);
  const monthLater = { from: 30 * 1_440 * MINUTE, to: 30 * 1_440 * MINUTE + 9 };
  expect(withBreak(breaks, monthLater)).toEqual([monthLater]);
});

it("keeps no more than 200 breaks, and makes one of the nearest two", () => {
  let breaks: Break[] = [];
  for (let hour = 1; hour <= 200; hour += 1)
    breaks = withBreak(breaks, { from: hour * 60 * MINUTE, to: hour * 60 * MINUTE + MINUTE });
  const next = withBreak(breaks, { from: 12_002 * MINUTE, to: 12_003 * MINUTE });
  expect(next).toHaveLength(200);
  expect(next.at(-1)).toEqual({ from: 12_000 * MINUTE, to: 12_003 * MINUTE });
});
