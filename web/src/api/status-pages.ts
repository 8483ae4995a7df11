import {
  keepPreviousData,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query";
import type {
  ShownFreeSlug,
  ShownPreview,
  StatusPageChangeInput,
} from "../../../server/src/status-pages/schemas/status-page-contents.ts";
import type { projectPage } from "../../../server/src/status-pages/schemas/status-pages.ts";
import { apiPaths } from "../paths.ts";
import { call } from "./client.ts";
import { pageSize } from "./list-pages.ts";

export type StatusPage = ReturnType<typeof projectPage>;
export type PageComponent = StatusPage["components"][number];
export type { ShownPreview };
export type StatusPageChange = StatusPageChangeInput;

export interface StatusPagesView {
  /** Part of the name or of the address. */
  search: string;
}

export interface StatusPagesRead {
  items: StatusPage[];
  total: number;
}

/** Prefix of all cached data about status pages. */
const root = "status-pages";
/** What pages would look like, which changes with all that they show. */
export const previewsKey = [root, "preview"] as const;
/** No event announces changes that others make. */
const ageMs = 60_000;

/** One page of the list, oldest first; `page` from 0. */
export const statusPagesQuery = (view: StatusPagesView, page: number) =>
  queryOptions({
    queryKey: [root, "list", view, page],
    refetchInterval: ageMs,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<StatusPagesRead> => {
      const query = { search: view.search || undefined, page: page + 1, limit: pageSize };
      const { data, pagination } = await call<StatusPage[]>("GET", apiPaths.statusPages, { query, signal });
      return { items: data, total: pagination?.total ?? data.length };
    },
  });

/** One of them, with what it shows. */
export const statusPageQuery = (id: number) =>
  queryOptions({
    queryKey: [root, "one", id],
    refetchInterval: ageMs,
    queryFn: async ({ signal }) => (await call<StatusPage>("GET", apiPaths.statusPage(id), { signal })).data,
  });

export interface PreviewRequest extends Omit<StatusPageChange, "unchangedSince"> {
  language?: "en" | "de" | "zh" | undefined;
  theme?: "light" | "dark" | undefined;
}

/** The page as visitors would see it with a change to what is stored; refused where the change would be. */
export const pagePreviewQuery = ({ id, updatedAt, appearance }: StatusPage, body: PreviewRequest) =>
  queryOptions({
    queryKey: [...previewsKey, id, updatedAt, appearance.logoUrl, body],
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 30_000,
    queryFn: async ({ signal }) =>
      (await call<ShownPreview>("POST", apiPaths.statusPagePreview(id), { body, signal })).data,
  });

/** Whether a slug can be had, and which page had it before; refused with the reason where it cannot. */
export const slugQuery = (slug: string) =>
  queryOptions({
    queryKey: [root, "slug", slug],
    retry: false,
    staleTime: 5_000,
    queryFn: ({ signal }) => readFreeSlug({ slug }, signal),
  });

export const suggestedSlugQuery = (name: string) =>
  queryOptions({
    queryKey: [root, "slug for", name],
    placeholderData: keepPreviousData,
    staleTime: 5_000,
    queryFn: async ({ signal }) => (await readFreeSlug({ name }, signal)).slug,
  });

const readFreeSlug = async (query: { slug: string } | { name: string }, signal: AbortSignal) =>
  (await call<ShownFreeSlug>("GET", apiPaths.freeSlug, { query, signal })).data;

const refresh = (client: QueryClient) => client.invalidateQueries({ queryKey: [root, "list"] });

/** Makes a page that shows nothing yet. */
export function useCreateStatusPage() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (body: { name: string; slug: string; timeZone: string }) =>
      (await call<StatusPage>("POST", apiPaths.statusPages, { body })).data,
    onSuccess: (made) => {
      client.setQueryData(statusPageQuery(made.id).queryKey, made);
      return refresh(client);
    },
  });
}

export function useChangeStatusPage(id: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (body: StatusPageChange) =>
      (await call<StatusPage>("PUT", apiPaths.statusPage(id), { body })).data,
    onSuccess: (saved) => {
      client.setQueryData(statusPageQuery(id).queryKey, saved);
      void refresh(client);
    },
  });
}

export function useDeleteStatusPage() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: { id: number }) => call("DELETE", apiPaths.statusPage(id)),
    onSuccess: (_, { id }) => {
      client.removeQueries({ queryKey: statusPageQuery(id).queryKey });
      void refresh(client);
    },
  });
}

/** Something that is done to a page at once, beside what its editor saves. */
type PageAct = { act: "logo"; content: string } | { act: "noLogo" } | { act: "checkDomain" };

/** Sets or removes a page's logo, or looks again what the DNS says of its domain. */
export function useStatusPageAct(id: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (request: PageAct) => {
      const path = apiPaths.statusPage(id);
      if (request.act === "noLogo") return (await call<StatusPage>("DELETE", `${path}/logo`)).data;
      if (request.act === "checkDomain")
        return (await call<StatusPage>("POST", `${path}/custom-domain/check`)).data;
      const body = { content: request.content };
      return (await call<StatusPage>("PUT", `${path}/logo`, { body })).data;
    },
    onSuccess: (saved) => client.setQueryData(statusPageQuery(id).queryKey, saved),
  });
}
