import { queryOptions } from "@tanstack/react-query";
import { call } from "./client.ts";

/** The title of the page at an address. */
export const titleQuery = (url: string) =>
  queryOptions({
    queryKey: ["page-title", url],
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    queryFn: async ({ signal }) =>
      (await call<{ title: string }>("GET", "/api/domains/fetch-title", { query: { url }, signal })).data
        .title,
  });
