import type { Db } from "../db.ts";

/** A place checks run from. */
export interface Location {
  id: number;
  /** e.g. `local`. */
  code: string;
  name: string;
}

/** Every location, oldest first. There are a handful at most. */
export async function listLocations(db: Db): Promise<Location[]> {
  return db.selectFrom("locations").select(["id", "code", "name"]).orderBy("id").execute();
}
