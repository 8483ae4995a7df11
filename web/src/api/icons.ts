import { queryOptions } from "@tanstack/react-query";
import { monitorKinds } from "../kinds.ts";
import { call } from "./client.ts";
import { sparklineQuery } from "./sparklines.ts";

/** Each makes the server contact a site; one at a time is enough for work in the background. */
let last: Promise<unknown> = Promise.resolve();

/** Looks for the icon of a domain, once; it is then stored with the sparkline, which is read again. */
export const iconQuery = (id: number) =>
  queryOptions({
    queryKey: ["icon", id],
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    retryOnMount: false,
    queryFn: ({ signal, client }) => {
      const look = async (): Promise<true> => {
        signal.throwIfAborted();
        await call("GET", `/api/domains/${id}/icon`, { signal });
        const { queryKey } = sparklineQuery(monitorKinds.domain, id);
        void client.invalidateQueries({ queryKey });
        return true;
      };
      const found = last.then(look);
      last = found.catch(() => undefined);
      return found;
    },
  });

export const titleQuery = (url: string) =>
  queryOptions({
    queryKey: ["page-title", url],
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    queryFn: async ({ signal }) =>
      (await call<{ title: string }>("GET", "/api/domains/fetch-title", { query: { url }, signal })).data
        .title,
  });
