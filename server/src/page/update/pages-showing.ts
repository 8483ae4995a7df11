import type { Context } from "../../context.ts";
import type { IncidentStatus } from "../../incident/states.ts";
import type { Db } from "../../store/db.ts";
import type { Incident } from "../../store/queries/incidents.ts";
import { readLogOutline } from "../../store/queries/log-outline.ts";
import type { PageAffected } from "../../store/queries/public-pages.ts";
import { listComponents, type PageComponent } from "../../store/queries/status-page-components.ts";
import { listPages, type StatusPage } from "../../store/queries/status-pages.ts";
import { LANGUAGES, type Language } from "../../texts/languages.ts";
import { timestampOrNull } from "../../wire/field.ts";
import { MAX_PAGES } from "../../wire/status-pages.ts";
import type { ShownDraft } from "../../wire/update-templates.ts";
import { readPublicIncident } from "../document/read-public-page.ts";
import { wordsFor } from "../render/words.ts";
import { readReach } from "../subscriber/reach.ts";
import { saidInsteadOf, unchangedSince } from "./log-on-page.ts";

/** A page that shows what an incident affects. */
export interface Showing {
  page: StatusPage;
  /** Of what the incident affects. */
  components: PageComponent[];
}

/** The organization's pages that show any of these monitors, each with what it shows of them. */
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

/** The languages that these pages offer, those of the first one first; all where there is no page. */
export function languagesOf(pages: readonly StatusPage[]): Language[] {
  const offered = pages.flatMap(({ look: { languages } }) =>
    languages.length === 0 ? LANGUAGES : languages,
  );
  return offered.length === 0 ? [...LANGUAGES] : [...new Set(offered)];
}

interface About {
  incident: Incident;
  affected: readonly PageAffected[];
  /** The state that an update moves to. */
  status: IncidentStatus;
}

/** What each of these pages shows of the incident, and whom an update reaches there. */
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
