import { queryOptions } from "@tanstack/react-query";
import { call } from "./client.ts";

/** Each makes the server ask a site: one after the other is enough for what nobody waits for. */
let last: Promise<unknown> = Promise.resolve();

/** Has the icon of a domain looked for that has none yet: a path of this server. */
export const iconQuery = (id: number) =>
  queryOptions({
    queryKey: ["icon", id],
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    queryFn: ({ signal }) => {
      const look = async (): Promise<string> => {
        signal.throwIfAborted();
        const { data } = await call<{ iconUrl: string }>("GET", `/api/domains/${id}/icon`, { signal });
        const { pathname, search } = new URL(data.iconUrl);
        return pathname + search;
      };
      const found = last.then(look);
      last = found.catch(() => undefined);
      return found;
    },
  });
