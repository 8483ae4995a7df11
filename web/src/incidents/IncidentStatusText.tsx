import { type ReactNode, useCallback } from "react";
import { useTranslation } from "react-i18next";
import type { NotifiedPage } from "../api/incident-pages.ts";
import { type Incident, type IncidentStatus, joinedSince, stillDown } from "../api/incidents.ts";
import { type ShownStatus, StatusDot } from "../components/StatusDot.tsx";
import { useNow } from "../components/use-now.ts";
import { formatDuration } from "../i18n/format.ts";

const tones: Record<IncidentStatus, ShownStatus> = {
  open: "down",
  investigating: "down",
  identified: "degraded",
  monitoring: "degraded",
  resolved: "up",
};

/** The tone of a state by itself: red until the cause is known, green once it is over. */
export const toneOfStatus = (status: IncidentStatus): ShownStatus => tones[status];

/** The tone of an incident: red while anything in it is down, whatever people have found out or said. */
export const toneOf = (incident: Incident): ShownStatus =>
  stillDown(incident).length > 0 ? "down" : toneOfStatus(incident.status);

/** Its state in words: one resolved by a person says so as long as something in it is down. */
export function useStatusWords(): (incident: Incident) => string {
  const { t } = useTranslation("incidents");
  return useCallback(
    (incident) =>
      incident.resolvedAt !== null && stillDown(incident).length > 0
        ? t("status.stillDown")
        : t(`status.${incident.status}`),
    [t],
  );
}

export function IncidentStatusText({ incident }: { incident: Incident }) {
  const words = useStatusWords();
  return (
    <span className="inline-flex items-center gap-2">
      <StatusDot status={toneOf(incident)} plain />
      {words(incident)}
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

/** Names what joined an acknowledged incident and is not acknowledged: "Blog, Wiki and 3 more"; null: there is nothing. */
export function useJoinedNames(): (incident: Incident) => string | null {
  const { t } = useTranslation("incidents");
  return useCallback(
    (incident) => {
      const [first, second, ...others] = new Set(joinedSince(incident).map(({ name }) => name));
      if (first === undefined || second === undefined) return first ?? null;
      if (others.length === 0) return t("joined.two", { first, second });
      return t("joined.more", { first, second, count: others.length });
    },
    [t],
  );
}

interface MoreMembersProps {
  label: string;
  className: string;
  children: ReactNode;
}

/** What is said of the other monitors of an incident, after the first: folded, or it would be most of the page. */
export function MoreMembers({ label, className, children }: MoreMembersProps) {
  return (
    <details className="min-w-0">
      <summary className="w-fit cursor-pointer rounded-sm py-0.5 text-sm text-ink-muted">{label}</summary>
      <div className={`mt-2 grid min-w-0 ${className}`}>{children}</div>
    </details>
  );
}

/** How many subscribers are notified of an update to these pages. */
export function Reach({ pages }: { pages: readonly NotifiedPage[] }) {
  const { t } = useTranslation("incidents");
  const count = pages.reduce((sum, { subscribers }) => sum + subscribers, 0);
  return (
    <p role="status" className="text-sm text-ink-muted tabular-nums">
      {t(count === 0 ? "publish.reachesNone" : "publish.reaches", { count })}
    </p>
  );
}
