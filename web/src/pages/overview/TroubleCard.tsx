import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Domain, Monitor, Service } from "../../api/monitor-list.ts";
import { Section } from "../../components/Section.tsx";
import { StatusDot, statusInk } from "../../components/StatusDot.tsx";
import { formatDateTime } from "../../format.ts";
import { factInReadersLanguage } from "../../i18n/i18n.ts";
import { shortUrl } from "../../kinds/domain/short-url.ts";
import type { MonitorKind } from "../../kinds/kinds.ts";
import { Target } from "../../kinds/service/Target.tsx";
import { KindProvider } from "../../kinds/use-kind.ts";
import { useStatusWords } from "../monitor/StatusText.tsx";
import { mergePages } from "./condition.ts";
import type { KindCondition } from "./use-overview.ts";

/** What stands under a monitor's name; nothing where it would say the same. */
interface Addresses {
  domain(domain: Monitor): ReactNode;
  service(service: Monitor): ReactNode;
}
const addresses: Addresses = {
  domain: ({ url, name }: Domain) =>
    shortUrl(url) !== name && <div className="truncate text-xs text-ink-faint">{shortUrl(url)}</div>,
  service: (service: Service) => <Target service={service} where="text" />,
};

interface TroubleCardProps {
  state: "down" | "degraded";
  kinds: readonly KindCondition[];
}

/** The monitors in a state nobody wants, each with the reason and since when; nothing while there is none. */
export function TroubleCard({ state, kinds }: TroubleCardProps) {
  const { t } = useTranslation(["overview", "monitor"]);
  const all = mergePages(
    kinds.map(({ kind, [state]: { monitors, total } }) => ({
      total,
      monitors: monitors.map((monitor) => ({ ...monitor, kind })),
    })),
  );
  if (all.total === 0) return null;
  return (
    <Section title={t(`trouble.${state}`)}>
      <ul>
        {all.monitors.map((monitor) => (
          <KindProvider key={`${monitor.kind.id}-${monitor.id}`} value={monitor.kind}>
            <TroubleRow monitor={monitor} kind={monitor.kind} state={state} />
          </KindProvider>
        ))}
      </ul>
      {kinds
        .filter((one) => one[state].total > one[state].monitors.length)
        .map(({ kind, [state]: { total } }) => (
          <p key={kind.id} className="border-t border-line px-4 py-2.5 text-sm">
            <Link
              to={kind.pages.list}
              search={{ show: state }}
              className="rounded-sm font-medium underline-offset-4 hover:underline"
            >
              {t(`trouble.all.${kind.id}`, { count: total })}
            </Link>
          </p>
        ))}
    </Section>
  );
}

interface TroubleRowProps extends Pick<TroubleCardProps, "state"> {
  monitor: Monitor;
  kind: MonitorKind;
}

function TroubleRow({ monitor, kind, state }: TroubleRowProps) {
  const { t, i18n } = useTranslation(["overview", "monitor"]);
  const words = useStatusWords(monitor, state);
  const { id, name, statusSince, lastReason, lastReasonFact, flapping } = monitor;
  return (
    <li
      data-trouble={state}
      className="relative flex gap-3 border-t border-line px-4 py-3 transition-colors last:rounded-b-lg hover:bg-hover data-[trouble=down]:bg-down-soft/45 data-[trouble=down]:hover:bg-down-soft"
    >
      <StatusDot status={state} className="mt-1.5" />
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-baseline justify-between gap-x-4">
          <Link
            to={kind.pages.one}
            params={{ id: String(id) }}
            className="min-w-0 truncate rounded-sm font-medium after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-focus"
          >
            {name}
          </Link>
          <span
            title={statusSince ? formatDateTime(statusSince, i18n.language) : undefined}
            className={`relative text-sm font-medium tabular-nums ${statusInk[state]}`}
          >
            {words}
          </span>
        </div>
        {addresses[kind.id](monitor)}
        {lastReason && (
          <p className="mt-1 text-sm text-pretty break-words">
            {factInReadersLanguage(lastReason, lastReasonFact)}
          </p>
        )}
        {flapping && <p className="mt-1 text-sm text-pretty text-ink-muted">{t("monitor:flappingText")}</p>}
      </div>
    </li>
  );
}
