import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import type { projectDeviceSparkline } from "../../../server/src/monitors/schemas/device-metrics.ts";
import type * as devices from "../../../server/src/monitors/schemas/devices.ts";
import { monitorKinds } from "../kinds.ts";
import { apiPaths } from "../paths.ts";
import { call } from "./client.ts";
import { listKeys, monitorKeys } from "./monitor-keys.ts";
import { type Monitor, withLastCheck } from "./monitor-list.ts";

const { device: kind } = monitorKinds;

/** A device as lists have it: a monitor that says how it is in words of its own. */
export type Device = Monitor & Omit<ReturnType<typeof devices.projectDevice>, "status">;
/** One in full. */
export type DeviceDetail = Monitor & Omit<ReturnType<typeof devices.projectDeviceDetail>, "status">;

/** Of the last hour, in steps of two minutes. */
export type DeviceSparkline = ReturnType<typeof projectDeviceSparkline>;

/** Refetch interval while the reader waits for the device. */
const waitingMs = 2_000;

/** A new device, polled until it has reported. */
export const awaitedQuery = (id: number) =>
  queryOptions({
    queryKey: monitorKeys.detail(kind.id, id),
    refetchInterval: ({ state }): number | false =>
      (state.data as DeviceDetail | undefined)?.isOnline ? false : waitingMs,
    queryFn: async ({ signal }): Promise<DeviceDetail> =>
      withLastCheck((await call<DeviceDetail>("GET", `${kind.api}/${id}`, { signal })).data),
  });

/** Adds one; the answer has its token. */
export function useCreateDevice() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (body: { name: string }) =>
      (await call<{ device: DeviceDetail; token: string }>("POST", kind.api, { body })).data,
    onSuccess: () => client.invalidateQueries({ queryKey: listKeys.every(kind.id) }),
  });
}

/** Gives it a new token; the old one ends at once. */
export function useNewToken(id: number) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async () =>
      (await call<{ token: string }>("POST", `${kind.api}/${id}/regenerate-token`)).data.token,
    onSuccess: () => client.invalidateQueries({ queryKey: monitorKeys.all(kind.id, id) }),
  });
}

export type EnrollmentToken = ReturnType<typeof devices.projectEnrollmentToken>;

export const enrollmentTokensQuery = queryOptions({
  queryKey: ["enrollment-tokens"],
  queryFn: async ({ signal }) =>
    (await call<EnrollmentToken[]>("GET", apiPaths.enrollmentTokens, { signal })).data,
});

/** Makes one; the answer has the token itself, this once. */
export function useCreateEnrollmentToken() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (body: { name: string; expiresAt: string | null }) =>
      (await call<EnrollmentToken & { token: string }>("POST", apiPaths.enrollmentTokens, { body })).data,
    onSuccess: () => client.invalidateQueries(enrollmentTokensQuery),
  });
}

export function useRevokeEnrollmentToken() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: ({ id }: { id: number }) => call("DELETE", apiPaths.enrollmentToken(id)),
    onSuccess: () => client.invalidateQueries(enrollmentTokensQuery),
  });
}
