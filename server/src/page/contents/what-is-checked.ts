import type { Db } from "../../store/db.ts";
import { readDevices } from "../../store/queries/devices.ts";
import type { Monitor } from "../../store/queries/monitors.ts";
import type { Checked } from "./display-name.ts";

type Known = Pick<Monitor, "id" | "kind" | "name" | "target" | "displayTarget">;

/** Of what somebody may not know, who gets no answer to guesses at it. */
export const UNKNOWN: Checked = { targets: [] };

/** What the names that visitors read must not tell of each of these monitors, by id. */
export async function whatIsChecked(db: Db, monitors: readonly Known[]): Promise<Map<number, Checked>> {
  const ids = monitors.flatMap(({ id, kind }) => (kind === "device" ? id : []));
  const devices = new Map(ids.length === 0 ? [] : await readDevices(db, ids));
  const checkedBy = ({ id, kind, name, target, displayTarget }: Known): Checked => {
    if (kind !== "device") return { targets: [target, displayTarget] };
    const device = devices.get(id);
    // Who enrolled itself is named by its host, of which more is not known before it has reported.
    return { host: device?.system?.hostname ?? (device?.enrolledBy ? name : "") };
  };
  return new Map(monitors.map((monitor) => [monitor.id, checkedBy(monitor)]));
}
