import { queryOptions } from "@tanstack/react-query";
import type { ShownDraft } from "../../../server/src/wire/update-templates.ts";
import { apiPaths } from "../paths.ts";
import { call } from "./client.ts";
import { type IncidentStatus, incidentsKey } from "./incidents.ts";

/** A status page that shows what an incident affects. */
export type IncidentPage = ShownDraft["pages"][number];

/** What could be told, in a language. */
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

/** The status pages that show what an incident affects. */
export const incidentPagesQuery = (id: number) =>
  queryOptions({
    queryKey: [incidentsKey, "pages", id],
    queryFn: async ({ signal }) => (await draftUpdate(id, {}, signal)).pages,
  });

/** Those of the pages that a choice means. */
export const chosenPages = (pages: readonly IncidentPage[], choice: PageChoice): readonly IncidentPage[] =>
  choice === null ? pages : pages.filter(({ uuid }) => choice.includes(uuid));

/**
 * The choice after one of the pages was ticked or cleared. What is not among the pages leaves it: it could not be seen there.
 * `before`: what was chosen at first. Only what was for all, later ones too, is so again with the last tick.
 */
export function choosePage(
  pages: readonly IncidentPage[],
  choice: PageChoice,
  { uuid, on, before }: { uuid: string; on: boolean; before: PageChoice },
): PageChoice {
  const chosen = new Set(chosenPages(pages, choice).map((page) => page.uuid));
  if (on) chosen.add(uuid);
  else chosen.delete(uuid);
  return before === null && chosen.size === pages.length ? null : [...chosen];
}

/** When all of these pages told of the present state, if nothing has happened since; null: there is something new to tell. */
export function unchangedOn(pages: readonly IncidentPage[]): string | null {
  const told = pages.flatMap(({ unchangedSince }) => unchangedSince ?? []);
  return told.length < pages.length ? null : (told.toSorted().at(-1) ?? null);
}
