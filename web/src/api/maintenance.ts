import {
  keepPreviousData,
  type QueryClient,
  queryOptions,
  useMutation,
  useQueryClient,
} from "@tanstack/react-query";
import type {
  MaintenanceInput,
  projectOccurrence,
  projectWindow,
} from "../../../server/src/monitors/schemas/maintenance.ts";
import { apiPaths } from "../paths.ts";
import { call } from "./client.ts";
import { readAgainSoon } from "./read-again.ts";

export type MaintenanceWindow = ReturnType<typeof projectWindow>;
export type Occurrence = ReturnType<typeof projectOccurrence>;
export type { MaintenanceInput };

const root = "maintenance";
/** Windows open and close with time: most of it arrives as events, this is for the rest. */
const ageMs = 60_000;

/** The windows that are open or still to come, or those that are over. */
export const windowsQuery = (isPast: boolean) =>
  queryOptions({
    queryKey: [root, "list", isPast],
    refetchInterval: ageMs,
    queryFn: async ({ signal }) => {
      const { data } = await call<MaintenanceWindow[]>("GET", apiPaths.maintenance, { signal });
      return data.filter(({ state }) => (state === "past") === isPast);
    },
  });

/** The windows that are open in a time, with when. */
export const calendarQuery = (from: string, to: string) =>
  queryOptions({
    queryKey: [root, "calendar", from, to],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) =>
      (await call<MaintenanceWindow[]>("GET", apiPaths.maintenance, { query: { from, to }, signal })).data,
  });

export const windowQuery = (id: number) =>
  queryOptions({
    queryKey: [root, "one", id],
    queryFn: async ({ signal }) =>
      (await call<MaintenanceWindow>("GET", apiPaths.maintenanceWindow(id), { signal })).data,
  });

/** When a window would be open. Invalid schedules are reported by the form once it is sent. */
export const previewQuery = (body: object) =>
  queryOptions({
    queryKey: [root, "preview", body],
    placeholderData: keepPreviousData,
    retry: false,
    queryFn: async ({ signal }) => {
      const path = apiPaths.maintenancePreview;
      return (await call<{ occurrences: Occurrence[] }>("POST", path, { body, signal })).data.occurrences;
    },
  });

const refresh = (client: QueryClient) => client.invalidateQueries({ queryKey: [root] });

export function useSaveWindow(id: number | null) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (body: MaintenanceInput) =>
      (
        await (id === null
          ? call<MaintenanceWindow>("POST", apiPaths.maintenance, { body })
          : call<MaintenanceWindow>("PUT", apiPaths.maintenanceWindow(id), { body }))
      ).data,
    onSuccess: () => refresh(client),
  });
}

/** Ends what is open of a window, leaves its next time out, or deletes it. */
export function useWindowAct() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id, act }: { id: number; act: "end" | "skip" | "delete" }) => {
      const path = apiPaths.maintenanceWindow(id);
      if (act === "delete") return call<unknown>("DELETE", path);
      return call<unknown>("POST", `${path}/${act}`, { body: {} });
    },
    onSettled: () => refresh(client),
  });
}

export const refreshMaintenanceSoon = (client: QueryClient): void => readAgainSoon(client, [root]);
