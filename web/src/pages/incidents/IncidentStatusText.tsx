import { useTranslation } from "react-i18next";
import type { Incident, IncidentStatus } from "../../api/incidents.ts";
import { type ShownStatus, StatusDot } from "../../components/StatusDot.tsx";
import { useNow } from "../../components/use-now.ts";
import { formatDuration } from "../../format.ts";

const tones: Record<IncidentStatus, ShownStatus> = {
  open: "down",
  investigating: "down",
  identified: "degraded",
  monitoring: "degraded",
  resolved: "up",
};

/** The tone of a state: red until the cause is known, green once it is over. */
export const toneOf = (status: IncidentStatus): ShownStatus => tones[status];

/** The state in words behind its dot. */
export function IncidentStatusText({ status }: { status: IncidentStatus }) {
  const { t } = useTranslation("incidents");
  return (
    <span className="inline-flex items-center gap-2 whitespace-nowrap">
      <StatusDot status={toneOf(status)} plain />
      {t(`status.${status}`)}
    </span>
  );
}

/** How long it has lasted, or lasted. */
export function useLasting(): (incident: Incident) => string {
  const { i18n } = useTranslation("incidents");
  const now = useNow();
  return ({ startedAt, resolvedAt }) =>
    formatDuration((resolvedAt ? Date.parse(resolvedAt) : now) - Date.parse(startedAt), i18n.language);
}

/** The same in a cell of its own, which goes on by itself. */
export function Lasting({ incident }: { incident: Incident }) {
  return <span className="text-ink-muted tabular-nums">{useLasting()(incident)}</span>;
}
