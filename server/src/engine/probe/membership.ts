import { randomUUID } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Context, Logger } from "../../platform/context.ts";
import {
  claimProbe,
  deleteProbe,
  ensureLocations,
  listLiveProbes,
  recordHeartbeat,
} from "../../platform/database/installation.ts";

/** A probe that was not seen for this long has lost its share. */
export const SILENT_MS = 15_000;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A probe's place among those of its location. */
export interface Membership {
  /** Its own id. */
  readonly id: string;
  /** Says that this probe is alive; the probes of the location that are, itself among them, sorted. Throws the store's error. */
  beat(): Promise<string[]>;
  /** Gives its share to the others at once. Throws the store's error. */
  leave(): Promise<void>;
}

/**
 * Takes a place at a location, which is made when it is new. The id stays with the data folder, which belongs
 * to one process at a time: a process started on it after a kill has the killed one's share at once, instead of
 * waiting beside its last heartbeat. Throws the store's error.
 */
export async function joinLocation(
  { store, clock, log, config }: Context,
  location: { code: string; name: string },
): Promise<Membership> {
  const startedAt = clock.now();
  const { code, name } = location;
  const file = fileIn(config.dataFolder, code);
  const locationIds = await ensureLocations(store.db, [code], startedAt, () => name);
  const locationId = locationIds.get(code) as number;
  const id = readId(file) ?? saveId(file, log);
  let self = await claimProbe(store.db, { id, locationId }, startedAt);
  return {
    get id() {
      return self.id;
    },
    async beat() {
      const now = clock.now();
      if (!(await recordHeartbeat(store.db, self, now))) {
        self = await claimProbe(store.db, { id: randomUUID(), locationId }, now);
        log.warn(
          {},
          "Another process uses this data folder's probe id: was the folder copied? It gets a new one",
        );
        saveId(file, log, self.id);
      }
      // SQLite belongs to one process, so there the rows of others are what killed ones left behind.
      if (store.engine === "sqlite") return [self.id];
      // A heartbeat from the future is a wrong clock's: what it left must not hold monitors until then.
      return listLiveProbes(store.db, locationId, { from: now - SILENT_MS, to: now + SILENT_MS });
    },
    leave: () => deleteProbe(store.db, self),
  };
}

/** Each location that a process checks from has a probe of its own. */
const fileIn = (dataFolder: string, code: string): string =>
  join(dataFolder, code === "local" ? "probe.id" : `probe-${code}.id`);

/** The id in the file; null when there is none that can be read. */
function readId(file: string): string | null {
  try {
    const content = readFileSync(file, "utf8").trim();
    return UUID.test(content) ? content : null;
  } catch {
    return null;
  }
}

/** Writes the id (default: a new one) into the file and returns it. One that cannot be stored works all the same. */
function saveId(file: string, log: Logger, id: string = randomUUID()): string {
  try {
    writeFileSync(file, `${id}\n`);
  } catch (error) {
    log.warn(
      { err: error, file },
      "The probe's id cannot be saved: after a kill its monitors wait 15 s for the next process",
    );
  }
  return id;
}
