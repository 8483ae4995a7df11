import { type QueryClient, useIsMutating, useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type {
  projectCheckTest,
  projectManualCheck,
} from "../../../server/src/monitors/schemas/check-result.ts";
import { formatResponseTime } from "../i18n/format.ts";
import { translateMessage } from "../i18n/i18n.ts";
import type { KindId, MonitorKind } from "../kinds.ts";
import { showToast, type ToastTone } from "../toasts.ts";
import { ApiError, call } from "./client.ts";
import { listKeys, monitorKeys } from "./monitor-keys.ts";
import type { Monitor } from "./monitor-list.ts";
import { limitsQuery } from "./monitor-settings.ts";

/** A check started by hand; milliseconds. */
type ManualCheck = ReturnType<typeof projectManualCheck>;
type Checked = Pick<Monitor, "id" | "name">;

/** Most checks are quicker than this, and a message that only flashes by cannot be read. */
const quickMs = 500;
/** A minute for the slowest check, and more than its way. */
const longestMs = 90_000;
const outcomeMs = 12_000;

const tones: Record<ManualCheck["state"], ToastTone> = {
  up: "success",
  degraded: "warning",
  down: "error",
  unknown: "warning",
};

const keyOf = (kind: KindId) => ["check-now", kind];

/** Checks a monitor now; the result appears in a toast and wherever the monitor is shown. */
export function useCheckNow(kind: MonitorKind) {
  const { t, i18n } = useTranslation(["monitors", "shared"]);
  const client = useQueryClient();
  const inGroup = ({ id }: Checked) => ({ group: `check-${kind.id}-${id}`, insteadOfGroup: true });
  const toast = (checked: Checked, tone: ToastTone, text: string) =>
    showToast(tone, text, { ...inGroup(checked), lastsMs: outcomeMs, monitor: { kind, id: checked.id } });
  return useMutation({
    mutationKey: keyOf(kind.id),
    mutationFn: async ({ id }: Checked) => {
      const { data } = await call<ManualCheck>("POST", `${kind.api}/${id}/check`);
      return { ...data, from: await nameOfLocation(client, data.location) };
    },
    onMutate: (checked) => {
      const running = () =>
        showToast("info", t("check.running", { name: checked.name }), {
          ...inGroup(checked),
          lastsMs: longestMs,
        });
      return { timer: setTimeout(running, quickMs) };
    },
    onSuccess: ({ state, responseTime, message, messageFact, from }, checked) => {
      const { name } = checked;
      const time = responseTime === null ? null : formatResponseTime(responseTime, i18n.language);
      const what = state === "up" && time ? t("check.upIn", { name, time }) : t(`check.${state}`, { name });
      const reason = state === "up" ? null : translateMessage(message, messageFact);
      const place = from === null ? null : t("check.from", { location: from });
      const sentences = [reason, place].filter((one) => one !== null);
      const join = (said: string, next: string) => t("shared:notification.why", { what: said, reason: next });
      const text = sentences.reduce(join, what);
      toast(checked, tones[state], text);
    },
    onError: (error, checked) => {
      // Without a session, the sign-in page says what has happened.
      if (error instanceof ApiError && error.status === 401) return;
      const what = t("check.refused", { name: checked.name });
      toast(checked, "warning", t("shared:notification.why", { what, reason: error.message }));
    },
    onSettled: (_answer, _error, { id }, begun) => {
      clearTimeout(begun?.timer);
      return Promise.all([
        client.invalidateQueries({ queryKey: listKeys.every(kind.id) }),
        client.invalidateQueries({ queryKey: monitorKeys.all(kind.id, id) }),
      ]);
    },
  });
}

/** What a location is called; null where there is only one, or it is not known. */
async function nameOfLocation(client: QueryClient, code: string): Promise<string | null> {
  const limits = await client.ensureQueryData(limitsQuery).catch(() => null);
  if (!limits || limits.locations.length < 2) return null;
  return limits.locations.find((one) => one.code === code)?.name ?? null;
}

export function useIsChecking(kind: MonitorKind, id: number): boolean {
  const predicate = ({ state }: { state: { variables: unknown } }) =>
    (state.variables as Checked | undefined)?.id === id;
  return useIsMutating({ mutationKey: keyOf(kind.id), predicate }) > 0;
}

/** The result of a test check, which is not stored; milliseconds. */
export type CheckTest = ReturnType<typeof projectCheckTest>;

/** Checks once what a form would create, or make of the monitor of that number. Throws ApiError. */
export async function testSettings(kind: MonitorKind, id: number | null, body: object): Promise<CheckTest> {
  const path = id === null ? `${kind.api}/test` : `${kind.api}/${id}/test`;
  return (await call<CheckTest>("POST", path, { body })).data;
}
