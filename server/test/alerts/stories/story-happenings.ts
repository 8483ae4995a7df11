import fc from "fast-check";
import type { Filter } from "./story-oracle.ts";
import { CHANNELS, MONITORS } from "./story-setup.ts";

const SECOND_MS = 1_000;
const HOUR_MS = 3_600 * SECOND_MS;

const FILTERS: readonly Filter[] = [
  {},
  { severities: ["critical"] },
  { severities: ["low", "critical"] },
  { tags: ["own"] },
  { events: ["monitor.down", "monitor.up"] },
  { events: ["monitor.down"] },
  { events: ["monitor.flapping", "monitor.up"] },
];

const which = fc.nat({ max: MONITORS - 1 });
const some = fc.uniqueArray(which, { minLength: 1, maxLength: 4 });
const channel = fc.nat({ max: CHANNELS.length - 1 });
const act = <T extends string>(...is: T[]) => fc.record({ is: fc.constantFrom(...is), which });
const plain = <T extends string>(...is: T[]) => fc.record({ is: fc.constantFrom(...is) });
const toChannel = <T extends string>(...is: T[]) => fc.record({ is: fc.constantFrom(...is), channel });

/** What happens: to monitors, to what people make of it, to receivers, and to servers. */
export const happening = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.record({
      ...{ is: fc.constantFrom("down" as const, "up" as const), some },
      why: fc.constantFrom("refused", "refused", "timeout"),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      is: fc.constantFrom("pass" as const, "pass" as const, "sleep" as const),
      ms: fc.constantFrom(6 * SECOND_MS, 61 * SECOND_MS, HOUR_MS, 7 * HOUR_MS),
    }),
  },
  { weight: 2, arbitrary: act("pause", "window", "severity", "tag") },
  { weight: 2, arbitrary: plain("merge", "split", "acknowledge", "forget", "reopen") },
  { weight: 2, arbitrary: toChannel("break", "refuse", "fix") },
  { weight: 1, arbitrary: toChannel("switch", "drop", "add") },
  {
    weight: 1,
    arbitrary: fc.record({
      is: fc.constant("filter" as const),
      channel,
      filter: fc.constantFrom(...FILTERS),
    }),
  },
  { weight: 1, arbitrary: plain("kill", "race", "burst", "restore") },
  { weight: 1, arbitrary: act("flap", "delete") },
);
export type Happening = typeof happening extends fc.Arbitrary<infer T> ? T : never;

/** A happening of that kind. */
export type Of<Is extends string> = Extract<Happening, { is: Is }>;
