import { messageOf } from "../../incident/incident-messages.ts";
import type { IncidentStatus } from "../../incident/states.ts";
import type { LogOutline } from "../../store/queries/log-outline.ts";
import type { PageAffected } from "../../store/queries/public-pages.ts";
import type { PageComponent } from "../../store/queries/status-page-components.ts";
import { timesAway, uuidOfHappening, uuidOfWriting } from "../document/public-incidents.ts";
import type { PublicIncident, Said } from "../document/public-page.ts";

/** An incident's log, and what visitors of one page read of the incident; `shown` null: nothing. */
interface OnPage {
  shown: PublicIncident | null;
  /** Oldest first. */
  log: readonly LogOutline[];
}

/**
 * What visitors read in the place of each entry that the service wrote itself, by the entry's number; nothing of those that the
 * page leaves out. `components`: of the page, those of what the incident affects.
 */
export function saidInsteadOf(
  { shown, log }: OnPage,
  given: { components: readonly PageComponent[]; affected: readonly PageAffected[] },
): Map<number, Said[]> {
  const said = new Map<number, Said[]>();
  if (!shown) return said;
  const { components } = given;
  // Which of both visitors read, the uuids of what they read say.
  const affected = given.affected.flatMap((one) =>
    one.offline === null ? [one] : [...timesAway(one), { ...one, offline: null }],
  );
  const uuids = new Map(components.map(({ monitorId, uuid }) => [monitorId, uuid]));
  const texts = new Map(shown.updates.map(({ uuid, text }) => [uuid, text]));
  const own = log.filter(({ isByPerson }) => !isByPerson);
  const ends = endsOf(affected, own);
  for (const outage of affected) {
    const { monitorId, outageStartedAt: from } = outage;
    const component = monitorId === null ? undefined : uuids.get(monitorId);
    if (component === undefined || from === null) continue;
    const say = (what: "went_down" | "came_back", entry: LogOutline | undefined) => {
      const text = texts.get(uuidOfHappening(shown.uuid, { component, what, from }));
      if (entry && text !== undefined) said.set(entry.id, [...(said.get(entry.id) ?? []), text]);
    };
    say("went_down", beginOf({ name: outage.name, from }, own));
    say("came_back", ends.get(outage));
  }
  return said;
}

/** The first entry since then that names it; else the first that has others beside the one that it names. */
function beginOf(
  { name, from }: { name: string; from: number },
  log: readonly LogOutline[],
): LogOutline | undefined {
  const since = log.filter((entry) => says(entry, "went_down", from));
  return (
    since.find(({ fact: one }) => one?.params?.["name"] === name) ??
    since.find(({ fact: one }) => one?.params?.["others"] !== undefined)
  );
}

/** By which an entry is that of an outage's end, the surest first: what was down may have another name by then. */
const SAME_END = [
  (end: End, entry: LogOutline) => isNamed(end, entry) && isAsLong(end, entry),
  (end: End, entry: LogOutline) => isAsLong(end, entry),
  (end: End, entry: LogOutline) => isNamed(end, entry),
];

interface End {
  outage: PageAffected;
  from: number;
  to: number;
}

const isNamed = ({ outage }: End, { fact: one }: LogOutline) => one?.params?.["name"] === outage.name;
const isAsLong = ({ from, to }: End, { fact: one }: LogOutline) => one?.params?.["lasted"] === to - from;

/** The entries that say of outages that they are over: each is about one. */
function endsOf(
  affected: readonly PageAffected[],
  log: readonly LogOutline[],
): Map<PageAffected, LogOutline> {
  const found = new Map<PageAffected, LogOutline>();
  const taken = new Set<LogOutline>();
  const ends = affected.flatMap((outage): End[] => {
    const { outageStartedAt: from, outageEndedAt: to } = outage;
    return from === null || to === null ? [] : [{ outage, from, to }];
  });
  for (const isSame of SAME_END) {
    for (const end of ends.filter(({ outage }) => !found.has(outage))) {
      const entry = log.find((one) => !taken.has(one) && says(one, "came_back", end.to) && isSame(end, one));
      if (!entry) continue;
      taken.add(entry);
      found.set(end.outage, entry);
    }
  }
  return found;
}

/** Whether it says that, since then. */
const says = ({ fact: one, at }: LogOutline, what: "went_down" | "came_back", from: number): boolean =>
  messageOf(one).onPage === what && at >= from;

/**
 * When people wrote there last, if that was words of this state and nothing has happened since, milliseconds; null: there is
 * something new to tell.
 */
export function unchangedSince({ shown, log }: OnPage, status: IncidentStatus): number | null {
  if (!shown) return null;
  const read = new Set(shown.updates.map(({ uuid }) => uuid));
  const last = log.findLast(({ id, isByPerson }) => isByPerson && read.has(uuidOfWriting(shown.uuid, id)));
  if (!last || last.fact !== null || last.isOpening || last.status !== status) return null;
  return log.some(({ id, isByPerson }) => !isByPerson && id > last.id) ? null : last.at;
}
