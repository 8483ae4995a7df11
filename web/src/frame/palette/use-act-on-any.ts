import { useQueryClient } from "@tanstack/react-query";
import { monitorQuery } from "../../api/monitor.ts";
import { type KindId, type MonitorKind, monitorKinds } from "../../kinds.ts";
import { useMonitorActs } from "../../monitors/monitor-acts.ts";
import { showToast } from "../../toasts.ts";
import type { Step } from "./items.ts";

/** Does this with a monitor that may not have been read yet. */
export function useActOnAny(): (step: Step, kind: MonitorKind, id: number) => void {
  const client = useQueryClient();
  const acts: Record<KindId, ReturnType<typeof useMonitorActs>> = {
    domain: useMonitorActs(monitorKinds.domain, { tells: true }),
    service: useMonitorActs(monitorKinds.service, { tells: true }),
    device: useMonitorActs(monitorKinds.device, { tells: true }),
  };
  return (step, kind, id) => {
    client.fetchQuery(monitorQuery(kind, id)).then(
      (monitor) => acts[kind.id](monitor)[step]?.run(),
      (error: Error) => showToast("error", error.message),
    );
  };
}
