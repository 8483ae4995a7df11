import { invalidInput } from "../../errors.ts";
import { RANGE_MS, type RangeName } from "../../result/range.ts";
import { fact } from "../../texts/fact.ts";
import { chooseResolution, keptMs, type Resolution } from "./resolutions.ts";

/** What a caller says of the time: `from` and `to` in place of `range`, milliseconds. */
export interface MetricsInput {
  range?: RangeName;
  from?: number;
  to?: number;
  resolution?: Resolution;
}

/** Milliseconds; `to` is exclusive. */
export interface MetricsRange {
  from: number;
  to: number;
  resolution: Resolution;
}

const DAY_MS = 86_400_000;

/**
 * What that comes down to. Who asks for no time gets the newest, as it was reported; who asks for a resolution, as far
 * back as that is kept. Throws a PublicError (422) for a range that ends before it begins.
 */
export function rangeOf(input: MetricsInput, now: number): MetricsRange {
  // What has been reported at this moment counts.
  const to = input.to ?? now + 1;
  const asked = input.from ?? (input.range && to - RANGE_MS[input.range]) ?? (input.to && to - DAY_MS);
  if (asked === undefined) {
    const { resolution = "raw" } = input;
    return { from: to - keptMs(resolution), to, resolution };
  }
  if (asked >= to)
    throw invalidInput(
      input.to === undefined
        ? { from: [fact("input.past", { field: "from" })] }
        : { to: [fact("maintenance.until")] },
    );
  return { from: asked, to, resolution: input.resolution ?? chooseResolution({ from: asked, to }, now) };
}
