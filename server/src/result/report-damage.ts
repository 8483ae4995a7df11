import type { Context } from "../context.ts";
import type { DamagedPackError } from "./pack.ts";

/** For whoever lists results: the rest of a history is worth showing when an hour of it cannot be read. */
export const reportDamage =
  ({ log }: Pick<Context, "log">) =>
  (error: DamagedPackError): void =>
    log.error({ err: error }, "An hour of results cannot be read and is left out of the history");
