import { keepRecent } from "../../recent.ts";
import type { Db } from "../../store/db.ts";
import { insertReports } from "../../store/queries/device-reports.ts";
import { deflateNames, type Figures, packFigures } from "./figures.ts";

/** What one report measured; `at`: by the server's clock, milliseconds. */
export interface MeasuredReport {
  deviceId: number;
  at: number;
  figures: Figures;
}

/** Deflating names takes longer than all the rest, and a device sends the same ones over and over. */
const NAMES_KEPT = 2_000;
/** A thousand names of a usual length. Longer ones are nobody's but an attacker's, who would fill the memory with them. */
const LONGEST_KEPT = 32_768;
const deflated = keepRecent<string, Uint8Array>(NAMES_KEPT);

/**
 * Stores what many reports measured, within the caller's transaction and in one statement. A device's report of a time
 * that it has one of already, be it packed, changes nothing.
 */
export const keepReports = (trx: Db, reports: readonly MeasuredReport[]): Promise<void> =>
  insertReports(
    trx,
    reports.map(({ deviceId, at, figures }) => ({
      ...{ monitorId: deviceId, at, figures: packFigures(figures, deflateOnce) },
    })),
  );

/** The names deflated, as they were before where they are those of a usual device. */
export function deflateOnce(names: string): Uint8Array {
  if (names.length > LONGEST_KEPT) return deflateNames(names);
  const known = deflated.get(names);
  if (known) return known;
  const bytes = deflateNames(names);
  deflated.set(names, bytes);
  return bytes;
}
