import { useTranslation } from "react-i18next";
import type { HttpInspection } from "../../../../server/src/wire/toolbox/http-inspection.ts";
import { Table } from "../../components/Table.tsx";
import { formatResponseTime } from "../../i18n/format.ts";
import { Findings, Summary } from "../Summary.tsx";
import { Waterfall } from "./Waterfall.tsx";

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
