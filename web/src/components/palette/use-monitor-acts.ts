import { useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { type MonitorDetail, monitorQuery } from "../../api/monitor.ts";
import { useSetEnabled } from "../../api/monitors.ts";
import { type KindId, type MonitorKind, monitorKinds } from "../../kinds/kinds.ts";
import { copyText } from "../copy-text.ts";
import { showToast } from "../toasts.ts";
import type { Step } from "./items.ts";

/** What can be done with a monitor from anywhere; what comes of it is told in a toast. */
export function useMonitorActs(): Record<Step, (kind: MonitorKind, id: number) => void> {
  const { t } = useTranslation("components/palette");
  const client = useQueryClient();
  const setEnabled: Record<KindId, ReturnType<typeof useSetEnabled>["mutateAsync"]> = {
    domain: useSetEnabled(monitorKinds.domain).mutateAsync,
    service: useSetEnabled(monitorKinds.service).mutateAsync,
  };
  const withMonitor = (act: (kind: MonitorKind, monitor: MonitorDetail) => Promise<void>) => {
    return (kind: MonitorKind, id: number) => {
      client.fetchQuery(monitorQuery(kind, id)).then(
        (monitor) => act(kind, monitor),
        (error: Error) => showToast("error", error.message),
      );
    };
  };
  const toggle = async (kind: MonitorKind, { id, name, enabled }: MonitorDetail) => {
    // What goes wrong is told by the change itself.
    await setEnabled[kind.id]({ id, enabled: !enabled }).then(
      () => showToast("success", t(enabled ? "done.paused" : "done.resumed", { name })),
      () => undefined,
    );
  };
  const copyId = async (_: MonitorKind, { name, uuid }: MonitorDetail) => {
    if (await copyText(uuid)) showToast("success", t("done.copied", { name }));
    else showToast("warning", t("done.notCopied", { id: uuid }), { lastsMs: 30_000 });
  };
  return { toggle: withMonitor(toggle), copyId: withMonitor(copyId) };
}
