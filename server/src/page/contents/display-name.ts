import { parse } from "tldts";
import type { Db } from "../../store/db.ts";
import { readDevices } from "../../store/queries/devices.ts";
import type { Monitor } from "../../store/queries/monitors.ts";

/** A scheme, an IPv4 or IPv6 address, or a host with its port. */
const ADDRESS =
  /:\/\/|\b\d{1,3}(?:\.\d{1,3}){3}\b|[0-9a-f]{1,4}:[0-9a-f:]*:[0-9a-f]{1,4}|[a-z][\w.-]*:\d{2,5}\b/i;
/** Not from within a name: it would be tried at each of its characters. */
const HOST = /(?<![\p{L}\p{N}-])[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu;
/** Ends of names inside a network, which no registry has. */
const INNER = /\.(?:corp|home|internal|intranet|lan|local|localdomain|localhost|test)$/i;

const isHost = (name: string): boolean => INNER.test(name) || parse(name).isIcann === true;

/** The hosts that a target names: whatever of it has dots, and a plain name such as `db-01`. */
function hostsIn(target: string): string[] {
  const rest = target.replace(/^[a-z][a-z0-9+.-]*:\/\//i, "");
  const [first = ""] = rest.split(/[/:?#@\s]/);
  return [...(target.match(HOST) ?? []), ...(/[\d-]/.test(first) && first.length > 2 ? [first] : [])];
}

/** What is checked: the targets of a domain or service, in their forms; of a device the machine's own name, empty where it is not known. */
export type Checked = { targets: readonly string[] } | { host: string };

/** Whether the name of a monitor would tell visitors what is checked. */
export function revealsTarget(name: string, checked: Checked): boolean {
  const folded = name.toLowerCase();
  if (ADDRESS.test(folded) || (folded.match(HOST) ?? []).some(isHost)) return true;
  if ("host" in checked) return revealsHost(folded, checked.host.toLowerCase());
  const targets = checked.targets.flatMap((one) => [one, ...hostsIn(one)]);
  return targets.some((one) => one !== "" && folded.includes(one.toLowerCase()));
}

/** Whether it has the machine's name in it, with or without its domain: as a word, since a machine may be called "art". */
function revealsHost(name: string, host: string): boolean {
  const [short = ""] = host.split(".");
  return [host, short].some((one) => one !== "" && wordsOf(name).includes(wordsOf(one)));
}

/** Its words with spaces around each. */
const wordsOf = (text: string): string => ` ${text.replaceAll(/[^\p{L}\p{N}-]+/gu, " ").trim()} `;

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
