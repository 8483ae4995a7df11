import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { projectLimits } from "../../../server/src/monitors/schemas/monitor-stats.ts";
import type { MonitorKind } from "../kinds.ts";
import { call } from "./client.ts";
import { type MonitorDetail, monitorQuery } from "./monitor.ts";
import { listKeys } from "./monitor-keys.ts";
import { withLastCheck } from "./monitor-list.ts";

/** What the plan and the installation allow; intervals in seconds. */
export type MonitorLimits = ReturnType<typeof projectLimits>;

export const limitsQuery = queryOptions({
  queryKey: ["monitor-limits"],
  // As it is when a form opens, including a request that is already under way.
  staleTime: 5_000,
  queryFn: async ({ signal }) => (await call<MonitorLimits>("GET", "/api/domains/limits", { signal })).data,
});

/** Creates a monitor, or changes the one of that number: `body` by its schema. Returns it in full. */
export function useSaveMonitor(kind: MonitorKind, id: number | null) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (body: object) => {
      const [method, path] =
        id === null ? (["POST", kind.api] as const) : (["PUT", `${kind.api}/${id}`] as const);
      return withLastCheck((await call<MonitorDetail>(method, path, { body })).data);
    },
    onSuccess: (detail) => {
      const { queryKey } = monitorQuery(kind, detail.id);
      client.setQueryData(queryKey, detail);
      // Events that came before this answer found nothing to change.
      void client.invalidateQueries({ queryKey });
      void client.invalidateQueries({ queryKey: listKeys.every(kind.id) });
    },
  });
}
