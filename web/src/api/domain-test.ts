import { queryOptions } from "@tanstack/react-query";
import type { projectCheckTest } from "../../../server/src/wire/check-result.ts";
import { call } from "./client.ts";

/** What one check found whose result is not kept; milliseconds. */
export type DomainTest = ReturnType<typeof projectCheckTest>;

/** Checks once what a form would create. Throws ApiError. */
export const testDomain = async (body: Record<string, unknown>): Promise<DomainTest> =>
  (await call<DomainTest>("POST", "/api/domains/test", { body })).data;

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
