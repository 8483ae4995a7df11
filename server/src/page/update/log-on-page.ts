import type { IncidentStatus } from "../../incident/states.ts";
import type { LogOutline } from "../../store/queries/log-outline.ts";
import type { PageAffected } from "../../store/queries/public-pages.ts";
import type { PageComponent } from "../../store/queries/status-page-components.ts";
import type { Fact } from "../../texts/fact.ts";
import type { StatusPageTexts } from "../../texts/status-pages/en.ts";
import { PUBLIC_FACTS } from "../document/public-incidents.ts";

type Sentence = Fact<keyof StatusPageTexts>;

/** An incident as one page has it: the page, and what it shows of what the incident affects. */
interface OnPage {
  page: { id: number; showAutomatic: boolean };
  components: readonly PageComponent[];
  isAutomatic: boolean;
  affected: readonly PageAffected[];
  /** Oldest first. */
  log: readonly LogOutline[];
}

const WENT_DOWN = new Set([
  ...["incident.outage", "incident.outages", "incident.joined", "incident.joined_several"],
  ...["incident.down_again", "incident.down_again_several"],
]);
const CAME_BACK = new Set(["incident.recovered", "incident.unwatched"]);

/**
 * What the page says in the place of each entry that the service wrote itself, by the entry's number: of the outages of its
 * own components, in words of its own. Those that are not among them it leaves out.
 */
export function saidInsteadOf(on: OnPage): Map<number, Sentence[]> {
  const said = new Map<number, Sentence[]>();
  if (!on.page.showAutomatic || !isPublished(on)) return said;
  const names = new Map(on.components.map(({ monitorId, displayName }) => [monitorId, displayName]));
  const own = on.log.filter(({ isByPerson }) => !isByPerson);
  const say = (entry: LogOutline | undefined, sentence: Sentence) => {
    if (entry) said.set(entry.id, [...(said.get(entry.id) ?? []), sentence]);
  };
  for (const { monitorId, name: called, outageStartedAt: from, outageEndedAt: to } of on.affected) {
    const name = monitorId === null ? undefined : names.get(monitorId);
    if (name === undefined || from === null) continue;
    say(entryOf(own, WENT_DOWN, { called, at: from }), { code: "automatic.went_down", params: { name } });
    if (to === null) continue;
    say(entryOf(own, CAME_BACK, { called, at: to }), { code: "automatic.came_back", params: { name } });
  }
  return said;
}

/** The first since then that names it; else the first that has others beside the one that it names. */
function entryOf(
  log: readonly LogOutline[],
  codes: ReadonlySet<string>,
  { called, at: from }: { called: string; at: number },
): LogOutline | undefined {
  const since = log.filter(({ fact: one, at }) => one !== null && codes.has(one.code) && at >= from);
  return (
    since.find(({ fact: one }) => one?.params?.["name"] === called) ??
    since.find(({ fact: one }) => one?.params?.["others"] !== undefined)
  );
}

/** As `publishes` has it (store/queries/page-updates.ts). */
const isPublished = (on: OnPage): boolean =>
  on.isAutomatic || writtenFor(on).some(({ fact: one, isOpening }) => one === null || isOpening);

const writtenFor = ({ page, log }: Pick<OnPage, "page" | "log">): LogOutline[] =>
  log.filter(({ isByPerson, pageIds }) => isByPerson && (pageIds === null || pageIds.includes(page.id)));

/**
 * When people wrote there last, if that was words of this state and nothing has happened since, milliseconds; null: there is
 * something new to tell.
 */
export function unchangedSince(on: Pick<OnPage, "page" | "log">, status: IncidentStatus): number | null {
  const last = writtenFor(on).findLast(({ fact: one }) => one === null || PUBLIC_FACTS.has(one.code));
  if (!last || last.fact !== null || last.isOpening || last.status !== status) return null;
  return on.log.some(({ id, isByPerson }) => !isByPerson && id > last.id) ? null : last.at;
}
