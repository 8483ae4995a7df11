import { useTranslation } from "react-i18next";
import type { DnsLookup } from "../../../../server/src/checks/toolbox/schemas/dns-lookup.ts";
import type { IpLocation } from "../../../../server/src/checks/toolbox/schemas/ip-location.ts";
import type { Rdap } from "../../../../server/src/checks/toolbox/schemas/rdap.ts";
import { DetailList } from "../../components/Card.tsx";
import { Table } from "../../components/Table.tsx";
import { formatCount, formatDate, formatResponseTime } from "../../i18n/format.ts";
import { translateMessage } from "../../i18n/i18n.ts";
import { Summary } from "../Summary.tsx";

/** Who holds a name, a network or an AS number, and until when. */
export function RegistrationResult({ result }: { result: Rdap }) {
  const { t, i18n } = useTranslation("toolbox");
  const { query, kind, registered, signed, events, server, listPublished } = result;
  const eventName = (action: string) => {
    const key = `rdap.events.${action.replaceAll(" ", "_")}`;
    return i18n.exists(`toolbox:${key}`) ? t(key as "title") : action;
  };
  const list = (items: readonly string[]) => (items.length > 0 ? items.join(", ") : null);
  return (
    <>
      <Summary tone={registered ? "good" : "info"}>
        {t(registered ? `rdap.held.${kind}` : `rdap.free.${kind}`, { query })}
      </Summary>
      {registered && (
        <div className="px-4">
          <DetailList
            details={[
              [t("rdap.name"), result.name],
              [t("rdap.range"), result.range],
              [t("rdap.organization"), result.organization],
              [t("rdap.country"), result.country],
              [t("rdap.registrar"), result.registrar],
              ...firstOfEach(events).map(
                ({ action, date }) => [eventName(action), formatDate(date, i18n.language)] as const,
              ),
              [t("rdap.status"), list(result.status)],
              [t("rdap.nameServers"), list(result.nameServers)],
              ["DNSSEC", signed !== null && t(signed ? "rdap.signed" : "rdap.unsigned")],
              [t("rdap.abuse"), result.abuseContact],
              [t("rdap.handle"), result.handle],
            ]}
          />
        </div>
      )}
      <p className="px-4 text-sm text-pretty text-ink-faint">
        {t("rdap.by", { server, date: formatDate(listPublished, i18n.language) })}
      </p>
    </>
  );
}

/** A registry may list one change several times; the names of its entries are its own. */
const firstOfEach = (events: Rdap["events"]): Rdap["events"] =>
  events.filter(({ action }, at) => events.findIndex((one) => one.action === action) === at);

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

/** Where an address is, whose it is, and how old that knowledge is. */
export function LocationResult({ result }: { result: IpLocation }) {
  const { t, i18n } = useTranslation("toolbox");
  const { ip, countryCode, country, region, city, isp, organization, asn, reason, reasonFact, databases } =
    result;
  const inReadersLanguage =
    countryCode && new Intl.DisplayNames(i18n.language, { type: "region" }).of(countryCode);
  const place = [city, region, inReadersLanguage || country].filter(Boolean).join(", ");
  return (
    <>
      <Summary tone={place === "" ? "info" : "good"}>
        {place === "" ? t("location.unknown", { ip }) : place}
      </Summary>
      <div className="px-4">
        <DetailList
          details={[
            [t("location.address"), ip],
            [t("location.country"), country && `${inReadersLanguage || country} (${countryCode})`],
            [t("location.region"), region],
            [t("location.city"), city],
            [t("location.isp"), isp],
            [t("location.organization"), organization],
            [t("location.asn"), asn === null ? null : `AS${asn}`],
          ]}
        />
      </div>
      {reason !== null && (
        <p className="px-4 text-sm text-pretty text-ink-muted">
          {reasonFact ? translateMessage(reason, reasonFact) : reason}
        </p>
      )}
      <ul className="grid gap-1 px-4 text-sm text-ink-faint">
        {databases.map(({ name, builtAt, ageDays, isInstalled }) => (
          <li key={name}>
            {isInstalled ? (
              <a
                href="https://db-ip.com"
                target="_blank"
                rel="noreferrer"
                className="underline underline-offset-2 hover:text-ink"
              >
                {t("location.attribution")}
              </a>
            ) : (
              name
            )}{" "}
            {t("location.age", { count: ageDays, date: formatDate(builtAt, i18n.language) })}
          </li>
        ))}
      </ul>
    </>
  );
}
