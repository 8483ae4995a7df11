import { useTranslation } from "react-i18next";
import type { HttpInspection } from "../../../../server/src/checks/toolbox/schemas/http-inspection.ts";
import { Table } from "../../components/Table.tsx";
import { formatResponseTime } from "../../i18n/format.ts";
import { Findings, Summary } from "../Summary.tsx";

/** What a web server answered, where the time went, and what its answer lacks. */
export function HttpResult({ result }: { result: HttpInspection }) {
  const { t, i18n } = useTranslation("toolbox");
  const { statusCode, finalUrl, findings, totalTime, hops } = result;
  const worst = findings[0]?.severity;
  const tone = worst === "critical" || worst === "warning" ? worst : "good";
  return (
    <>
      <Summary tone={tone}>
        {statusCode === null
          ? t("http.unanswered", { url: finalUrl })
          : t("http.answered", {
              url: finalUrl,
              status: String(statusCode),
              time: totalTime === null ? "–" : formatResponseTime(totalTime, i18n.language),
            })}
      </Summary>
      {findings.length > 0 && <Findings of={findings} label={t("findings")} />}
      <Waterfall hops={hops} />
      <SecurityHeaders of={result.security} />
      <Headers of={result.headers} />
    </>
  );
}

const stateLooks = { good: "text-up-ink", weak: "text-warn-ink", missing: "text-ink-muted" } as const;

function SecurityHeaders({ of: security }: { of: HttpInspection["security"] }) {
  const { t } = useTranslation("toolbox");
  if (security.length === 0) return null;
  return (
    <section aria-label={t("http.security")}>
      <h3 className="px-4 pb-1 text-sm font-medium">{t("http.security")}</h3>
      <Table
        columns={[
          {
            id: "header",
            head: t("http.header"),
            names: true,
            cell: ({ header }) => <span className="font-normal wrap-anywhere">{header}</span>,
          },
          {
            id: "state",
            head: t("http.state"),
            width: "w-28",
            cell: ({ state }) => <span className={stateLooks[state]}>{t(`http.states.${state}`)}</span>,
          },
          {
            id: "value",
            head: t("http.value"),
            wide: true,
            cell: ({ value }) => <span className="wrap-anywhere text-ink-muted">{value ?? "–"}</span>,
          },
        ]}
        rows={security}
        keyOf={({ header }) => header}
      />
    </section>
  );
}

function Headers({ of: headers }: { of: HttpInspection["headers"] }) {
  const { t } = useTranslation("toolbox");
  if (headers.length === 0) return null;
  return (
    <details className="px-4">
      <summary className="w-fit cursor-pointer rounded-sm text-sm font-medium">
        {t("http.all", { count: headers.length })}
      </summary>
      <dl className="mt-2 grid gap-x-4 gap-y-1.5 text-sm sm:grid-cols-[minmax(0,14rem)_minmax(0,1fr)]">
        {headers.map(({ name, value }) => (
          <div key={name} className="contents">
            <dt className="text-ink-faint wrap-anywhere">{name}</dt>
            <dd className="wrap-anywhere select-all">{value}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

type Hop = HttpInspection["hops"][number];

const phases = ["dns", "connect", "tls", "firstByte", "transfer"] as const;

const colors = {
  dns: "bg-phase-dns",
  connect: "bg-phase-connect",
  tls: "bg-phase-tls",
  firstByte: "bg-phase-server",
  transfer: "bg-phase-transfer",
} as const;

/** Each request on one axis of time, in its phases, with the same values in words below it. */
function Waterfall({ hops }: { hops: readonly Hop[] }) {
  const { t } = useTranslation("toolbox");
  const totalMs = hops.reduce((sum, { total }) => sum + (total ?? 0), 0);
  const startsMs = hops.map((_, at) => hops.slice(0, at).reduce((sum, { total }) => sum + (total ?? 0), 0));
  return (
    <section aria-label={t("http.way")} className="grid gap-2 px-4">
      <h3 className="text-sm font-medium">{t("http.way")}</h3>
      <ol className="grid gap-4">
        {hops.map((hop, at) => (
          <HopRow key={`${hop.url} ${at}`} hop={hop} startMs={startsMs[at] ?? 0} totalMs={totalMs} />
        ))}
      </ol>
    </section>
  );
}

function HopRow({ hop, startMs, totalMs }: { hop: Hop; startMs: number; totalMs: number }) {
  const { t, i18n } = useTranslation("toolbox");
  const { url, statusCode, address, protocol, total } = hop;
  const share = (ms: number) => `${totalMs > 0 ? (ms / totalMs) * 100 : 0}%`;
  const known = phases.flatMap((phase) => {
    const ms = hop[phase];
    return ms === null ? [] : [{ phase, ms }];
  });
  return (
    <li className="grid gap-1.5 text-sm">
      <p className="flex flex-wrap items-baseline gap-x-2">
        <span className="font-medium tabular-nums">{statusCode ?? "–"}</span>
        <span className="min-w-0 wrap-anywhere">{url}</span>
        <span className="text-ink-faint">{[address, protocol].filter(Boolean).join(" · ")}</span>
      </p>
      <div aria-hidden className="flex h-2 rounded-full bg-hover">
        <span style={{ width: share(startMs) }} className="shrink-0" />
        {known.map(({ phase, ms }) => (
          <span key={phase} style={{ width: share(ms) }} className={`min-w-0.5 shrink-0 ${colors[phase]}`} />
        ))}
      </div>
      <ul className="flex flex-wrap gap-x-4 gap-y-0.5 text-ink-muted tabular-nums">
        {known.map(({ phase, ms }) => (
          <li key={phase} className="flex items-center gap-1.5">
            <span aria-hidden className={`size-2 rounded-full ${colors[phase]}`} />
            {t(`http.phases.${phase}`, { time: formatResponseTime(ms, i18n.language) })}
          </li>
        ))}
        {total !== null && (
          <li>{t("http.phases.total", { time: formatResponseTime(total, i18n.language) })}</li>
        )}
      </ul>
    </li>
  );
}
