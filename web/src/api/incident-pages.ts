import { queryOptions } from "@tanstack/react-query";
import type { ShownPageShowing } from "../../../server/src/status-pages/schemas/status-page-contents.ts";
import type { ShownDraft } from "../../../server/src/status-pages/schemas/update-templates.ts";
import { apiPaths } from "../paths.ts";
import { call } from "./client.ts";
import { type Incident, type IncidentStatus, type IncidentUpdate, incidentsKey } from "./incidents.ts";

export type IncidentPage = ShownDraft["pages"][number];

/** What is needed of a page before an update is published there. */
export type NotifiedPage = Pick<IncidentPage, "uuid" | "name" | "slug" | "isPublic" | "subscribers">;

/** A suggested text, in one language. */
export type DraftText = ShownDraft["texts"][number];

/** What a draft is to be about; what is absent is as the API has it. */
export interface DraftRequest {
  pages?: readonly string[];
  status?: IncidentStatus;
  /** A built-in one by its name, one's own by its number. */
  template?: string;
}

/** Which of them show an update, by their uuids; null: all, those that come to show what is affected too. */
export type PageChoice = readonly string[] | null;

/** Drafts an update. Nothing is published. */
export const draftUpdate = async (
  id: number,
  body: DraftRequest,
  signal?: AbortSignal,
): Promise<ShownDraft> =>
  (await call<ShownDraft>("POST", apiPaths.draftUpdate(id), { body, ...(signal && { signal }) })).data;

export const incidentPagesQuery = (id: number) =>
  queryOptions({
    queryKey: [incidentsKey, "pages", id],
    queryFn: async ({ signal }) => (await draftUpdate(id, {}, signal)).pages,
  });

/** The status pages that show any of these monitors, by their uuids. */
export const pagesShowingQuery = (monitors: readonly string[]) =>
  queryOptions({
    queryKey: [incidentsKey, "pages showing", monitors.join()],
    enabled: monitors.length > 0,
    queryFn: async ({ signal }) => {
      const query = { ids: monitors.join() };
      return (await call<ShownPageShowing[]>("GET", apiPaths.pagesShowing, { query, signal })).data;
    },
  });

export const chosenPages = <Page extends Pick<IncidentPage, "uuid">>(
  pages: readonly Page[],
  choice: PageChoice,
): readonly Page[] => (choice === null ? pages : pages.filter(({ uuid }) => choice.includes(uuid)));

/**
 * After a page was ticked or cleared. What is not among the pages leaves it, as it could not be seen.
 * `before`: the first choice; only if it was all, later ones too, does the last tick make it so again.
 */
export function choosePage(
  pages: readonly Pick<IncidentPage, "uuid">[],
  choice: PageChoice,
  { uuid, on, before }: { uuid: string; on: boolean; before: PageChoice },
): PageChoice {
  const chosen = new Set(chosenPages(pages, choice).map((page) => page.uuid));
  if (on) chosen.add(uuid);
  else chosen.delete(uuid);
  return before === null && chosen.size === pages.length ? null : [...chosen];
}

type Log = readonly Pick<IncidentUpdate, "authorId" | "fact" | "isOpening" | "pages">[];

/** The pages of what puts an incident on them: what people wrote, and what opened it; each null: all. */
const published = (log: Log): PageChoice[] =>
  log.flatMap(({ authorId, fact, isOpening, pages }) =>
    authorId !== null && (fact === null || isOpening) ? [pages] : [],
  );

/** Pages on which visitors read of an incident already: the default for an update. */
export function pagesTelling({ automatic }: Pick<Incident, "automatic">, log: Log): PageChoice {
  if (automatic) return null;
  const choices = published(log);
  return choices.includes(null) ? null : [...new Set(choices.flatMap((pages) => pages ?? []))];
}

/** Pages that will show an incident once it affects more. `present`: those that show what it affects; `later`: those that will. */
export function pagesToCome<Page extends Pick<ShownPageShowing, "uuid" | "showAutomatic">>(
  { automatic }: Pick<Incident, "automatic">,
  log: Log,
  { present, later }: { present: readonly Pick<IncidentPage, "uuid">[]; later: readonly Page[] },
): Page[] {
  const known = new Set(present.map(({ uuid }) => uuid));
  const choices = published(log);
  return later.filter(
    ({ uuid, showAutomatic }) =>
      !known.has(uuid) &&
      ((automatic && showAutomatic) || choices.some((pages) => pages === null || pages.includes(uuid))),
  );
}

/** When all of these pages announced the present state, if nothing has happened since; null: there is something to announce. */
export function unchangedOn(pages: readonly IncidentPage[]): string | null {
  const unchanged = pages.flatMap(({ unchangedSince }) => unchangedSince ?? []);
  return unchanged.length < pages.length ? null : (unchanged.toSorted().at(-1) ?? null);
}
