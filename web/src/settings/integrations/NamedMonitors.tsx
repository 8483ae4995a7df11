import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { DeploymentWebhook } from "../../api/deployments.ts";
import { Tick } from "../../forms/Tick.tsx";

/**
 * Stands for the monitors that are gone: while it names any, it does not go by the repository's name. They go with the first one
 * that is taken away, since the list is sent as a whole, without them; whoever keeps them keeps all.
 */
const gone = "gone";

/** One of the monitors that a webhook names. */
interface MonitorTick {
  id: string;
  name: string;
  isKept: boolean;
  change: (isKept: boolean) => void;
}

/** The monitors that a webhook names (null: a new one), what is sent of them, and whether any are left. */
export function useNamedMonitors(webhook: DeploymentWebhook | null) {
  const { t } = useTranslation("settings/integrations");
  const count = webhook?.monitorsGone ?? 0;
  const all = [
    ...(webhook?.monitors ?? []).map(({ uuid, name }) => ({ id: uuid, name })),
    ...(count > 0 ? [{ id: gone, name: t("webhooks.gone", { count }) }] : []),
  ];
  const [left, setLeft] = useState<readonly string[]>([]);
  const isFewer = left.length > 0;
  const ticks = all.map(({ id, name }): MonitorTick => {
    const without = id === gone ? [] : left.filter((other) => other !== id);
    const change = (isKept: boolean) => setLeft(isKept ? without : [...left, id]);
    return { id, name, isKept: id === gone ? !isFewer : !left.includes(id), change };
  });
  const kept = ticks.filter(({ isKept }) => isKept).map(({ id }) => id);
  return { ticks, change: isFewer ? { monitors: kept } : {}, isAny: kept.length > 0 };
}

/** The monitors that its deployments touch by name, which may be taken away. */
export function NamedMonitors({ ticks }: { ticks: readonly MonitorTick[] }) {
  const { t } = useTranslation("settings/integrations");
  if (ticks.length === 0) return null;
  return (
    <fieldset className="grid max-h-48 gap-2 overflow-y-auto text-sm">
      <legend className="pb-1.5 font-medium">{t("webhooks.monitors")}</legend>
      {ticks.map(({ id, name, isKept, change }) => (
        <Tick key={id} type="checkbox" checked={isKept} onChange={change}>
          <bdi>{name}</bdi>
        </Tick>
      ))}
    </fieldset>
  );
}
