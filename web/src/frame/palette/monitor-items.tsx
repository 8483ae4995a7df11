import { useRouter } from "@tanstack/react-router";
import { Siren } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { SearchResult } from "../../api/search.ts";
import { focusPage } from "../../components/focus.ts";
import { type ShownStatus, StatusDot, statusInk } from "../../components/StatusDot.tsx";
import { useNow } from "../../components/use-now.ts";
import { formatAgo, formatDuration, hasJustBegun } from "../../i18n/format.ts";
import { translateMessage } from "../../i18n/i18n.ts";
import { type KindId, type MonitorKind, monitorKinds, pageOf } from "../../kinds.ts";
import { shortUrl } from "../../monitors/monitor-view.ts";
import type { PaletteItem } from "./items.ts";

interface ShownMonitor {
  kind: KindId;
  id: number;
  name: string;
  address: string;
  tags?: readonly string[];
  status?: { state: string; since: string | null };
}

export function useOpenMonitor(): (kind: MonitorKind, id: number) => void {
  const router = useRouter();
  return (kind, id) =>
    void router.navigate({ to: kind.pages.one, params: { id: String(id) } }).then(focusPage);
}

/** The line of a monitor, which leads to its page. */
export function useMonitorItem(): (monitor: ShownMonitor, place: string) => PaletteItem {
  const open = useOpenMonitor();
  return ({ kind: kindId, id, name, address, tags = [], status }, place) => {
    const kind = monitorKinds[kindId];
    const Icon = kind.icon;
    const shown = shortUrl(address);
    return {
      id: `${place}-${kindId}-${id}`,
      icon: <Icon aria-hidden />,
      text: name,
      detail: [shown === name ? "" : shown, ...tags].filter(Boolean).join(" · "),
      end: status && <StateWords name={name} {...status} />,
      href: pageOf(kind, id),
      monitor: { kind, id },
      run: () => open(kind, id),
    };
  };
}

/** The line of an incident, which leads to its page. */
export function useIncidentItem(): (incident: SearchResult) => PaletteItem {
  const router = useRouter();
  return ({ id, name, fact, status, since }) => ({
    id: `incident-${id}`,
    icon: <Siren aria-hidden />,
    text: translateMessage(name, fact),
    detail: `#${id}`,
    end: <IncidentWords status={status as IncidentStatus} since={since} />,
    href: `/incidents/${id}`,
    run: () => router.navigate({ to: "/incidents/$id", params: { id: String(id) } }).then(focusPage),
  });
}

const end = "flex shrink-0 items-center gap-2 text-xs whitespace-nowrap tabular-nums";

/** "Down for 4 minutes"; of what is well, that it is. */
function StateWords({ name, state, since }: { name: string; state: string; since: string | null }) {
  const { t, i18n } = useTranslation("monitors");
  const now = useNow();
  const status = state === "unknown" && since === null ? "waiting" : (state as ShownStatus);
  const word = t(`status.${status}`, { name });
  const isProblem = status === "down" || status === "degraded";
  const words = () => {
    if (!since || !isProblem) return word;
    const durationMs = now - Date.parse(since);
    if (hasJustBegun(durationMs)) return t("status.now", { status: word });
    return t("status.since", { status: word, duration: formatDuration(durationMs, i18n.language) });
  };
  return (
    <span className={`${end} ${isProblem ? statusInk[status] : "text-ink-muted"}`}>
      <StatusDot status={status} plain />
      {words()}
    </span>
  );
}

type IncidentStatus = "open" | "investigating" | "identified" | "monitoring" | "resolved";

/** "Open · 12 minutes ago". */
function IncidentWords({ status, since }: { status: IncidentStatus; since: string | null }) {
  const { t, i18n } = useTranslation("frame/palette");
  const now = useNow();
  const isOver = status === "resolved";
  return (
    <span className={`${end} ${isOver ? "text-ink-muted" : "text-down-ink"}`}>
      {t(`incident.${status}`)}
      {since && ` · ${formatAgo(now - Date.parse(since), i18n.language)}`}
    </span>
  );
}
