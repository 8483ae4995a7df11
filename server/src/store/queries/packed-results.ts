import { DamagedPackError, HOUR_MS, hourOf, unpackResults, unpackTimes } from "../../result/pack.ts";
import type { StoredResult } from "../../result/stored-result.ts";
import type { Db } from "../db.ts";
import { type Pack, type PacksQuery, readPackedBefore, readPacks, readPacksOfHour } from "./packs.ts";

export interface PackedHoursQuery extends PacksQuery {
  /** Milliseconds, inclusive; `to` is exclusive. */
  from: number;
  /** Hears of hours that cannot be read and are left out; without it, they are thrown. */
  onDamaged?: (error: DamagedPackError) => void;
}

/** The packed results of one hour, in the order that was asked for. */
export interface PackedHour {
  hourAt: number;
  results: StoredResult[];
}

/** A day and the hours it begins and ends in, of one location; then larger steps. */
const FIRST_PACKS = 26;
const MORE_PACKS = 104;

/** The packed results of a time range, hour by hour. Read only as far as the caller goes on asking. */
export async function* eachPackedHour(db: Db, query: PackedHoursQuery): AsyncGenerator<PackedHour> {
  let packs: Pack[] = [];
  for (let limit = FIRST_PACKS, more = true; more; limit = MORE_PACKS) {
    const read = await readPacks(db, query, limit, packs.at(-1));
    packs = [...packs, ...read];
    more = read.length === limit;
    for (let begin = 0; packs[begin]; ) {
      const hourAt = (packs[begin] as Pack).hourAt;
      const next = packs.findIndex((pack, i) => i > begin && pack.hourAt !== hourAt);
      if (next < 0 && more) {
        // The hour may go on with the packs that are still to be read.
        packs = packs.slice(begin);
        break;
      }
      yield { hourAt, results: unpackHour(packs.slice(begin, next < 0 ? undefined : next), query) };
      if (next < 0) return;
      begin = next;
    }
  }
}

function unpackHour(packs: readonly Pack[], query: PackedHoursQuery): StoredResult[] {
  const parts = packs.map((pack) => unpackOr(pack, query));
  const all = parts.length === 1 ? (parts[0] as StoredResult[]) : parts.flat();
  const hourAt = packs[0]?.hourAt ?? 0;
  const isWhole = query.from <= hourAt && hourAt + HOUR_MS <= query.to;
  const wanted = isWhole
    ? all
    : all.filter(({ scheduledAt }) => query.from <= scheduledAt && scheduledAt < query.to);
  return parts.length > 1 ? wanted.sort(byTime(query.order)) : wanted;
}

function unpackOr(pack: Pack, { order, onDamaged }: PackedHoursQuery): StoredResult[] {
  try {
    return unpackResults(pack, pack.data, order);
  } catch (error) {
    if (!onDamaged || !(error instanceof DamagedPackError)) throw error;
    onDamaged(error);
    return [];
  }
}

/** The order of results: by time, then by location. */
export const byTime =
  (order: "desc" | "asc") =>
  (a: StoredResult, b: StoredResult): number => {
    const ascending = a.scheduledAt - b.scheduledAt || a.locationId - b.locationId;
    return order === "asc" ? ascending : -ascending;
  };

/**
 * Those of the results that no pack has. Costs next to nothing as long as all are fresh, that is, of
 * hours of which no pack can be. The caller holds the monitors' states (lockStates), so that none is
 * packed meanwhile. In a pack that cannot be read nothing counts as known.
 */
export async function withoutPacked(
  trx: Db,
  results: readonly StoredResult[],
): Promise<readonly StoredResult[]> {
  const before = await readPackedBefore(trx);
  const late = results.filter(({ scheduledAt }) => scheduledAt < before);
  if (late.length === 0) return results;
  const known = new Set<string>();
  for (const [hourAt, own] of Map.groupBy(late, ({ scheduledAt }) => hourOf(scheduledAt))) {
    const monitorIds = [...new Set(own.map(({ monitorId }) => monitorId))];
    const places = new Set(own.map(placeOf));
    for (const pack of await readPacksOfHour(trx, hourAt, monitorIds)) {
      if (!places.has(placeOf(pack))) continue;
      for (const time of timesOf(pack)) known.add(`${placeOf(pack)} ${time}`);
    }
  }
  return results.filter((result) => !known.has(`${placeOf(result)} ${result.scheduledAt}`));
}

const placeOf = ({ monitorId, locationId }: Pick<StoredResult, "monitorId" | "locationId">) =>
  `${monitorId} ${locationId}`;

function timesOf(pack: Pack): number[] {
  try {
    return unpackTimes(pack, pack.data);
  } catch (error) {
    if (error instanceof DamagedPackError) return [];
    throw error;
  }
}
