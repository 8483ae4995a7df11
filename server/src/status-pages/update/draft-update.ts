import { findIncidentMeant, readPages } from "../../incidents/affected.ts";
import type { Incident } from "../../incidents/queries/incidents.ts";
import { assertAccess } from "../../platform/access/check-access.ts";
import type { Db } from "../../platform/database/schema.ts";
import { notFound } from "../../platform/errors.ts";
import type { Language } from "../../platform/i18n/render.ts";
import type { IncidentStatus } from "../../platform/monitor-defaults.ts";
import { needsOf } from "../../platform/operations/call.ts";
import { readId } from "../../platform/operations/field.ts";
import { verb } from "../../platform/operations/operation.ts";
import { listPageAffected, type PageAffected } from "../queries/page-incidents.ts";
import type { PageComponent } from "../queries/status-page-components.ts";
import { findTemplate, type StatusPage } from "../queries/status-pages.ts";
import { stageOf } from "../render/incidents.ts";
import { wordsFor } from "../render/view.ts";
import { DraftInput, DraftUpdate } from "../schemas/update-templates.ts";
import { describeShowing, languagesOf, pagesShowing } from "./pages-showing.ts";
import { BUILT_IN_TEMPLATES, builtInText, fillTemplate, type TemplateText } from "./template-text.ts";

/** Only what every page of the draft shows. */
interface CommonDetails {
  names: string[];
  since: number;
}

/** `components`: of each page, those affected. Without common ones, the latest of the pages' start times. */
export function commonDetails(
  incident: { automatic: boolean; startedAt: number },
  affected: readonly PageAffected[],
  components: readonly (readonly PageComponent[])[],
): CommonDetails {
  const [first = [], ...others] = components;
  const common = first.filter(({ monitorId, displayName }) =>
    others.every((page) =>
      page.some((one) => one.monitorId === monitorId && one.displayName === displayName),
    ),
  );
  const begins = (shown: readonly PageComponent[]): number[] =>
    affected.flatMap(({ monitorId, outageStartedAt: at }) =>
      at !== null && shown.some((one) => one.monitorId === monitorId) ? at : [],
    );
  const earliest = (shown: readonly PageComponent[]) => Math.min(...begins(shown));
  const known = common.length > 0 ? [earliest(common)] : components.map(earliest);
  const since = Math.max(...known.filter(Number.isFinite));
  return {
    names: [...new Set(common.map(({ displayName }) => displayName))],
    since: incident.automatic && Number.isFinite(since) ? since : incident.startedAt,
  };
}

const USUAL_MINUTES = 30;

/**
 * From what its pages show anyway; publishes nothing. Throws 404 for an unknown incident or template, 403 for
 * callers who may not read pages, 422 for an unknown page.
 */
export const draftIncidentUpdate = verb({
  resource: "incidents",
  feature: "team",
  action: "read",
  input: DraftInput,
  output: DraftUpdate,
  find: findIncidentMeant,
  async run({ db, caller, config, clock }, input, incident) {
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
    const details = commonDetails(
      incident,
      affected,
      chosen.map(({ components }) => components),
    );
    const textIn = await templateOf(db, incident, { ...input, status });
    const pages = chosen.map(({ page }) => page);
    return {
      texts: languagesOf(pages).flatMap((language) => {
        const text = textIn(language);
        return text ? { language, message: messageOf(text, { pages, details, status, minutes }) } : [];
      }),
      pages: await describeShowing({ db, config, clock }, showing, { incident, affected, status }),
    };
  },
});

/** By language. Throws 404. */
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
  details: ReturnType<typeof commonDetails>;
  status: IncidentStatus;
  minutes: number;
}

function messageOf(text: TemplateText, { pages, details, status, minutes }: Known): string {
  const words = wordsFor(text.language, pages[0]?.timeZone ?? "UTC");
  return fillTemplate(text, {
    components: details.names.length > 0 ? words.list(details.names) : words.say("draft.some"),
    status: stageOf(words, status),
    since: words.time(details.since),
    // One page's name must not appear on another.
    page: pages.length === 1 ? (pages[0]?.name ?? "") : words.say("draft.page"),
    minutes: String(minutes),
  });
}
