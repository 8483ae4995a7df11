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
const deflated = new Map<string, Uint8Array>();

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

function deflateOnce(names: string): Uint8Array {
  let bytes = deflated.get(names);
  if (bytes) return bytes;
  bytes = deflateNames(names);
  if (deflated.size >= NAMES_KEPT) deflated.clear();
  deflated.set(names, bytes);
  return bytes;
}
