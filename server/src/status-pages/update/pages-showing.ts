import { Type } from "typebox";
import { messageOf } from "../../incidents/live-incident.ts";
import { type LogOutline, readLogOutline } from "../../incidents/queries/incident-updates.ts";
import type { Incident } from "../../incidents/queries/incidents.ts";
import { MAX_PAGES } from "../../incidents/schemas/incident-changes.ts";
import { findMonitors } from "../../monitors/queries/monitors.ts";
import type { Context } from "../../platform/context.ts";
import type { Db } from "../../platform/database/schema.ts";
import { LANGUAGES, type Language } from "../../platform/i18n/render.ts";
import type { IncidentStatus } from "../../platform/monitor-defaults.ts";
import { readId, timestampOrNull } from "../../platform/operations/field.ts";
import { verb } from "../../platform/operations/operation.ts";
import { timesAway, uuidOfHappening, uuidOfWriting } from "../document/public-incidents.ts";
import type { PublicIncident, Said } from "../document/public-page.ts";
import { readPublicIncident } from "../document/read-public-page.ts";
import type { PageAffected } from "../queries/page-incidents.ts";
import { listComponents, type PageComponent } from "../queries/status-page-components.ts";
import { listPages, type StatusPage } from "../queries/status-pages.ts";
import { wordsFor } from "../render/view.ts";
import { PageShowing, PagesShowingQuery } from "../schemas/status-page-contents.ts";
import type { ShownDraft } from "../schemas/update-templates.ts";
import { readReach } from "../subscriber/address.ts";

interface Showing {
  page: StatusPage;
  components: PageComponent[];
}

export async function pagesShowing(
  db: Db,
  organizationId: number,
  monitorIds: ReadonlySet<number>,
): Promise<Showing[]> {
  if (monitorIds.size === 0) return [];
  const pages = await listPages(db, organizationId, { limit: MAX_PAGES, offset: 0 });
  const all = await listComponents(
    db,
    pages.map(({ id }) => id),
  );
  const shown = Map.groupBy(
    all.filter(({ monitorId }) => monitorIds.has(monitorId)),
    ({ pageId }) => pageId,
  );
  return pages.flatMap((page) => {
    const components = shown.get(page.id);
    return components ? { page, components } : [];
  });
}

/** The first page's first; all languages without a page. */
export function languagesOf(pages: readonly StatusPage[]): Language[] {
  const offered = pages.flatMap(({ look: { languages } }) =>
    languages.length === 0 ? LANGUAGES : languages,
  );
  return offered.length === 0 ? [...LANGUAGES] : [...new Set(offered)];
}

interface About {
  incident: Incident;
  affected: readonly PageAffected[];
  status: IncidentStatus;
}

/** With the number of subscribers reached. */
export async function describeShowing(
  { db, config, clock }: Pick<Context, "config" | "clock"> & { db: Db },
  showing: readonly Showing[],
  { incident, affected, status }: About,
): Promise<ShownDraft["pages"]> {
  const log = await readLogOutline(db, incident.id);
  const reach = await readReach(db, config, showing);
  const about = { uuid: incident.uuid, now: clock.now() };
  const described: ShownDraft["pages"] = [];
  for (const { page, components } of showing) {
    const onPage = { shown: await readPublicIncident(db, page, { ...about, components }), log };
    const { uuid, name, slug, isPublic } = page;
    described.push({
      ...{ uuid, name, slug, isPublic },
      components: components.map(({ displayName }) => displayName),
      subscribers: reach.get(page.id) ?? 0,
      unchangedSince: timestampOrNull(unchangedSince(onPage, status)),
      entries: [...saidInsteadOf(onPage, { components, affected })].map(([updateId, said]) => ({
        updateId,
        texts: languagesOf([page]).map((language) => ({
          language,
          message: said.map(wordsFor(language, page.timeZone).sentence).join(" "),
        })),
      })),
    });
  }
  return described;
}

/** `shown` null: nothing. */
interface OnPage {
  shown: PublicIncident | null;
  /** Oldest first. */
  log: readonly LogOutline[];
}

/**
 * The public text of each automatic entry, by its number; without entries that the page leaves out.
 * `components`: the page's, of what the incident affects.
 */
function saidInsteadOf(
  { shown, log }: OnPage,
  given: { components: readonly PageComponent[]; affected: readonly PageAffected[] },
): Map<number, Said[]> {
  const said = new Map<number, Said[]>();
  if (!shown) return said;
  const { components } = given;
  // The uuids of what visitors see decide between both.
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

/** The first entry since then that names it; else the first with others beside its own. */
function beginOf(
  { name, from }: { name: string; from: number },
  log: readonly LogOutline[],
): LogOutline | undefined {
  const since = log.filter((entry) => says(entry, "went_down", from));
  return (
    since.find(({ descriptor: one }) => one?.params?.["name"] === name) ??
    since.find(({ descriptor: one }) => one?.params?.["others"] !== undefined)
  );
}

/** Surest first: what was down may have another name by then. */
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

const isNamed = ({ outage }: End, { descriptor: one }: LogOutline) => one?.params?.["name"] === outage.name;
const isAsLong = ({ from, to }: End, { descriptor: one }: LogOutline) =>
  one?.params?.["lasted"] === to - from;

/** Each is about one outage. */
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

const says = ({ descriptor: one, at }: LogOutline, what: "went_down" | "came_back", from: number): boolean =>
  messageOf(one).onPage === what && at >= from;

/**
 * Time of the last update (ms), if it is a text of this state and nothing has happened since; null: there is
 * something new.
 */
function unchangedSince({ shown, log }: OnPage, status: IncidentStatus): number | null {
  if (!shown) return null;
  const read = new Set(shown.updates.map(({ uuid }) => uuid));
  const last = log.findLast(({ id, isByPerson }) => isByPerson && read.has(uuidOfWriting(shown.uuid, id)));
  if (!last || last.descriptor !== null || last.isOpening || last.status !== status) return null;
  return log.some(({ id, isByPerson }) => !isByPerson && id > last.id) ? null : last.at;
}

/** With the number of subscribers reached. */
export const listPagesShowing = verb({
  resource: "status-pages",
  feature: "team",
  action: "read",
  input: PagesShowingQuery,
  output: Type.Array(PageShowing),
  async run({ db, caller: { organizationId }, config }, { ids = "" }) {
    const refs = ids.split(",").flatMap((id) => readId(id) ?? []);
    const found = await findMonitors(db, { organizationId, refs });
    const showing = await pagesShowing(db, organizationId, new Set(found.map(({ id }) => id)));
    const reach = await readReach(db, config, showing);
    return showing.map(({ page: { id, uuid, name, slug, isPublic, showAutomatic }, components }) => ({
      ...{
        uuid,
        name,
        slug,
        isPublic,
        showAutomatic,
        components: components.map(({ displayName }) => displayName),
      },
      subscribers: reach.get(id) ?? 0,
    }));
  },
});
