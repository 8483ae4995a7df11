import { randomUUID } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Context } from "../context.ts";
import {
  claimProbe,
  deleteProbe,
  ensureLocation,
  listLiveProbes,
  recordHeartbeat,
} from "../store/queries/probes.ts";

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
 * to one process at a time: whoever starts on it after a kill has the killed one's share at once, instead of
 * waiting beside its last heartbeat. Throws the store's error.
 */
export async function joinLocation(
  { store, clock, log, config }: Context,
  location: { code: string; name: string },
): Promise<Membership> {
  const startedAt = clock.now();
  const locationId = await ensureLocation(store.db, location, startedAt);
  const self = { id: probeIdOf(config.dataFolder), locationId, startedAt };
  await claimProbe(store.db, self, startedAt);
  return {
    get id() {
      return self.id;
    },
    async beat() {
      const now = clock.now();
      if (!(await recordHeartbeat(store.db, self, now))) {
        log.warn(
          {},
          "Another process uses this data folder's probe id: was the folder copied? It gets a new one",
        );
        self.id = randomUUID();
        await claimProbe(store.db, self, now);
      }
      // SQLite belongs to one process, so there the rows of others are what killed ones left behind.
      if (store.engine === "sqlite") return [self.id];
      return listLiveProbes(store.db, locationId, now - SILENT_MS);
    },
    leave: () => deleteProbe(store.db, self),
  };
}

/** The id in the data folder, made at its first start. One that cannot be kept serves for this process only. */
function probeIdOf(dataFolder: string): string {
  const file = join(dataFolder, "probe.id");
  const kept = readOr(file, "").trim();
  if (UUID.test(kept)) return kept;
  const id = randomUUID();
  writeFileSync(file, `${id}\n`);
  return id;
}

function readOr(file: string, otherwise: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return otherwise;
    throw error;
  }
}
