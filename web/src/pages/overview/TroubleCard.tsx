import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { Domain, MonitorPage } from "../../api/monitor-list.ts";
import { Section } from "../../components/Section.tsx";
import { StatusDot, statusInk } from "../../components/StatusDot.tsx";
import { formatDateTime } from "../../format.ts";
import { factInReadersLanguage } from "../../i18n/i18n.ts";
import { shortUrl } from "../../kinds/domain/short-url.ts";
import { monitorKinds } from "../../kinds/kinds.ts";
import { KindProvider } from "../../kinds/use-kind.ts";
import { useStatusWords } from "../monitor/StatusText.tsx";

/** The domains in a state nobody wants, each with the reason and since when; nothing while there is none. */
export function TroubleCard({ state, page }: { state: "down" | "degraded"; page: MonitorPage<Domain> }) {
  const { t } = useTranslation(["overview", "monitor"]);
  const { monitors: domains, total } = page;
  if (total === 0) return null;
  return (
    <Section title={t(`trouble.${state}`)}>
      <ul>
        <KindProvider value={monitorKinds.domain}>
          {domains.map((domain) => (
            <TroubleRow key={domain.id} domain={domain} state={state} />
          ))}
        </KindProvider>
      </ul>
      {total > domains.length && (
        <p className="border-t border-line px-4 py-2.5 text-sm">
          <Link
            to="/domains"
            search={{ show: state }}
            className="rounded-sm font-medium underline-offset-4 hover:underline"
          >
            {t("trouble.all", { count: total })}
          </Link>
        </p>
      )}
    </Section>
  );
}

function TroubleRow({ domain, state }: { domain: Domain; state: "down" | "degraded" }) {
  const { t, i18n } = useTranslation(["overview", "monitor"]);
  const words = useStatusWords(domain, state);
  const { id, name, url, statusSince, lastReason, lastReasonFact, flapping } = domain;
  return (
    <li
      data-trouble={state}
      className="relative flex gap-3 border-t border-line px-4 py-3 transition-colors last:rounded-b-lg hover:bg-hover data-[trouble=down]:bg-down-soft/45 data-[trouble=down]:hover:bg-down-soft"
    >
      <StatusDot status={state} className="mt-1.5" />
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-baseline justify-between gap-x-4">
          <Link
            to="/domains/$id"
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
        {shortUrl(url) !== name && <div className="truncate text-xs text-ink-faint">{shortUrl(url)}</div>}
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
