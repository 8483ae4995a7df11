import type { Context } from "../../context.ts";
import type { DevicePack } from "../../store/queries/device-packs.ts";
import type { IsWanted, Series } from "./series.ts";
import { unpackSeries } from "./series-pack.ts";

/** What a pack holds of the names that are wanted; null where it cannot be read, which is logged: then it is as if it were not there. */
export function readPack(
  { log }: Pick<Context, "log">,
  { series, ...pack }: DevicePack,
  isWanted?: IsWanted,
): Series | null {
  try {
    return unpackSeries(series, isWanted);
  } catch (err) {
    log.error({ err, ...pack }, "Metrics cannot be read and are left out");
    return null;
  }
}
