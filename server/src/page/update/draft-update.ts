import { assertAccess } from "../../account/access.ts";
import { notFound } from "../../errors.ts";
import { findIncidentMeant } from "../../incident/find-incident.ts";
import { readPages } from "../../incident/published-pages.ts";
import type { IncidentStatus } from "../../incident/states.ts";
import type { Db } from "../../store/db.ts";
import type { Incident } from "../../store/queries/incidents.ts";
import {
  type ComponentState,
  listPageAffected,
  readComponentStates,
} from "../../store/queries/public-pages.ts";
import { listComponents, type PageComponent } from "../../store/queries/status-page-components.ts";
import { listPages, type StatusPage } from "../../store/queries/status-pages.ts";
import { findTemplate } from "../../store/queries/update-templates.ts";
import { LANGUAGES, type Language } from "../../texts/languages.ts";
import { needsOf } from "../../verb/authorize.ts";
import { verb } from "../../verb/verb.ts";
import { readId } from "../../wire/id.ts";
import { MAX_PAGES } from "../../wire/status-pages.ts";
import { DraftInput, DraftUpdate, type ShownDraft } from "../../wire/update-templates.ts";
import { componentStatus, worstOf } from "../document/rules.ts";
import { stageOf } from "../render/incidents.ts";
import { wordsFor } from "../render/words.ts";
import { commonFacts } from "./draft.ts";
import { BUILT_IN_TEMPLATES, builtInText, fillTemplate, type TemplateText } from "./template-text.ts";

const USUAL_MINUTES = 30;

interface Showing {
  page: StatusPage;
  /** Of what the incident affects. */
  components: PageComponent[];
}

/**
 * What could be told of an incident, from what its pages show anyway, and these pages. Nothing is published. Throws 404 for an
 * incident or a template that there is not, 403 for who may not read pages, 422 for a page of nobody.
 */
export const draftIncidentUpdate = verb({
  resource: "incidents",
  feature: "team",
  action: "read",
  input: DraftInput,
  output: DraftUpdate,
  find: findIncidentMeant,
  async run({ db, caller }, input, incident) {
    assertAccess(
      caller,
      needsOf({ resource: "status-pages", feature: "team", action: "read" }, caller.needs?.features),
    );
    const { status = incident.status as IncidentStatus, minutes = USUAL_MINUTES } = input;
    const affected = await listPageAffected(db, [incident.id]);
    const monitorIds = affected.flatMap(({ monitorId }) => monitorId ?? []);
    const showing = await pagesShowing(db, incident.organizationId, new Set(monitorIds));
    const wanted = await readPages(db, incident.organizationId, input.pages);
    const chosen = wanted === null ? showing : showing.filter(({ page }) => wanted.includes(page.id));
    const facts = commonFacts(
      incident,
      affected,
      chosen.map(({ components }) => components),
    );
    const textIn = await templateOf(db, incident, { ...input, status });
    const pages = chosen.map(({ page }) => page);
    const states = await readComponentStates(db, monitorIds);
    return {
      texts: languagesOf(pages).flatMap((language) => {
        const text = textIn(language);
        return text ? { language, message: messageOf(text, { pages, facts, status, minutes }) } : [];
      }),
      pages: showing.map((one) => projectShowing(one, states)),
    };
  },
});

/** The organization's pages that show any of these monitors, each with what it shows of them. */
async function pagesShowing(
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
function languagesOf(pages: readonly StatusPage[]): Language[] {
  const offered = pages.flatMap(({ look: { languages } }) =>
    languages.length === 0 ? LANGUAGES : languages,
  );
  return offered.length === 0 ? [...LANGUAGES] : [...new Set(offered)];
}

/** The texts of the template that is meant, by their language. Throws 404. */
async function templateOf(
  db: Db,
  { organizationId }: Incident,
  { template, status }: { template?: string | number | undefined; status: IncidentStatus },
): Promise<(language: Language) => TemplateText | undefined> {
  const usual = status === "open" ? "investigating" : status;
  const builtIn = BUILT_IN_TEMPLATES.find((one) => one === (template ?? usual));
  if (builtIn) return (language) => builtInText(builtIn, language);
  const ref = readId(String(template));
  const own = ref && (await findTemplate(db, organizationId, ref));
  if (!own) throw notFound();
  return (language) => own.texts.find((text) => text.language === language);
}

interface Known {
  pages: readonly StatusPage[];
  facts: ReturnType<typeof commonFacts>;
  status: IncidentStatus;
  minutes: number;
}

function messageOf(text: TemplateText, { pages, facts, status, minutes }: Known): string {
  const words = wordsFor(text.language, pages[0]?.timeZone ?? "UTC");
  return fillTemplate(text, {
    components: facts.names.length > 0 ? words.list(facts.names) : words.say("draft.some"),
    status: stageOf(words, status),
    since: words.time(facts.since),
    // What one page is called is nothing that another one tells.
    page: pages.length === 1 ? (pages[0]?.name ?? "") : words.say("draft.page"),
    minutes: String(minutes),
  });
}

function projectShowing(
  { page: { uuid, name, slug, isPublic }, components }: Showing,
  states: ReadonlyMap<number, ComponentState>,
): ShownDraft["pages"][number] {
  const statuses = components.flatMap(({ monitorId }) => {
    const state = states.get(monitorId);
    return state ? componentStatus(state) : [];
  });
  return {
    ...{ uuid, name, slug, isPublic, status: worstOf(statuses) },
    components: components.map(({ displayName }) => displayName),
  };
}
