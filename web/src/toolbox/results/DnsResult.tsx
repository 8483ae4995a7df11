import { useTranslation } from "react-i18next";
import type { DnsLookup } from "../../../../server/src/wire/toolbox/dns-lookup.ts";
import { Table } from "../../components/Table.tsx";
import { formatCount, formatResponseTime } from "../../i18n/format.ts";
import { Summary } from "../Summary.tsx";

/** The records of a name, or that there are none. */
export function DnsResult({ result }: { result: DnsLookup }) {
  const { t, i18n } = useTranslation("toolbox");
  const { domain, records, total, status, server, verified, withheld, unanswered, responseTime } = result;
  const isMissing = status === "NXDOMAIN";
  return (
    <>
      <Summary tone={isMissing ? "critical" : total === 0 || unanswered.length > 0 ? "warning" : "good"}>
        {isMissing
          ? t("dns.missing", { domain })
          : total === 0 && unanswered.length === 0
            ? t("dns.none", { domain })
            : t("dns.found", { count: total })}
      </Summary>
      {unanswered.length > 0 && (
        <p className="px-4 text-sm text-pretty">{t("dns.unanswered", { types: unanswered.join(", ") })}</p>
      )}
      {records.length > 0 && (
        <Table
          columns={[
            {
              id: "type",
              head: t("dns.type"),
              width: "w-24",
              names: true,
              cell: ({ type }) => <span className="font-medium">{type}</span>,
            },
            {
              id: "value",
              head: t("dns.value"),
              cell: ({ value }) => <code className="font-sans wrap-anywhere select-all">{value}</code>,
            },
            {
              id: "name",
              head: t("dns.name"),
              wide: true,
              cell: ({ name }) => <span className="wrap-anywhere text-ink-muted">{name}</span>,
            },
            {
              id: "ttl",
              head: t("dns.ttl"),
              align: "end",
              width: "w-24",
              cell: ({ ttl }) => `${formatCount(ttl, i18n.language)} s`,
            },
          ]}
          rows={records}
          keyOf={({ type, name, value }) => `${type} ${name} ${value}`}
        />
      )}
      <p className="px-4 text-sm text-pretty text-ink-faint">
        {t("dns.by", { server, time: formatResponseTime(responseTime, i18n.language) })}
        {verified && ` ${t("dns.verified")}`}
        {withheld > 0 && ` ${t("dns.withheld", { count: withheld })}`}
      </p>
    </>
  );
}
