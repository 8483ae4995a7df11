import { useTranslation } from "react-i18next";
import type { Ping } from "../../../../server/src/checks/toolbox/schemas/ping.ts";
import type { PortScan } from "../../../../server/src/checks/toolbox/schemas/port-scan.ts";
import type { Traceroute } from "../../../../server/src/checks/toolbox/schemas/traceroute.ts";
import { DetailList } from "../../components/Card.tsx";
import { Table } from "../../components/Table.tsx";
import { formatPercentage, formatResponseTime, formatRuntime } from "../../i18n/format.ts";
import { Summary } from "../Summary.tsx";

export function RouteResult({ result }: { result: Traceroute }) {
  const { t, i18n } = useTranslation("toolbox");
  const { target, address, reached, hops } = result;
  const isAnswered = hops.some(({ address: at }) => at !== null);
  const addressOf = (at: string | null) =>
    at === null ? (
      <span className="text-ink-faint">{t("route.silent")}</span>
    ) : at === "private" ? (
      t("route.private")
    ) : (
      at
    );
  return (
    <>
      <Summary tone={reached ? "good" : isAnswered ? "warning" : "critical"}>
        {reached
          ? t("route.reached", { target, count: hops.length })
          : t(isAnswered ? "route.lost" : "route.unknown", { target })}
      </Summary>
      {hops.length > 0 && (
        <Table
          columns={[
            {
              id: "hop",
              head: t("route.hop"),
              width: "w-20",
              names: true,
              cell: ({ hop }) => <span className="font-normal tabular-nums">{hop}</span>,
            },
            {
              id: "address",
              head: t("route.address"),
              cell: (hop) => <span className="wrap-anywhere select-all">{addressOf(hop.address)}</span>,
            },
            {
              id: "time",
              head: t("route.time"),
              align: "end",
              width: "w-28",
              cell: ({ time }) => (time === null ? "–" : formatResponseTime(time, i18n.language)),
            },
          ]}
          rows={hops}
          keyOf={({ hop }) => hop}
        />
      )}
      <p className="px-4 text-sm text-ink-faint">{t("route.to", { address })}</p>
    </>
  );
}

export function PingResult({ result }: { result: Ping }) {
  const { t, i18n } = useTranslation("toolbox");
  const { target, address, sent, received, loss, min, average, max, replies } = result;
  const ms = (time: number | null) => time !== null && formatResponseTime(time, i18n.language);
  const tone = received === 0 ? "critical" : received < sent ? "warning" : "good";
  return (
    <>
      <Summary tone={tone}>
        {received === 0 ? t("ping.silent", { target }) : t("ping.answered", { received, count: sent })}
      </Summary>
      <div className="px-4">
        <DetailList
          details={[
            [t("ping.address"), address],
            [t("ping.loss"), formatPercentage(loss, i18n.language)],
            [t("ping.fastest"), ms(min)],
            [t("ping.average"), ms(average)],
            [t("ping.slowest"), ms(max)],
          ]}
        />
      </div>
      {replies.length > 0 && (
        <Table
          columns={[
            {
              id: "sequence",
              head: t("ping.request"),
              width: "w-28",
              names: true,
              cell: ({ sequence }) => <span className="font-normal tabular-nums">{sequence}</span>,
            },
            { id: "ttl", head: "TTL", align: "end", cell: ({ ttl }) => ttl ?? "–" },
            { id: "time", head: t("ping.time"), align: "end", cell: ({ time }) => ms(time) },
          ]}
          rows={replies}
          keyOf={({ sequence }) => sequence}
        />
      )}
    </>
  );
}

export function PortsResult({ result }: { result: PortScan }) {
  const { t, i18n } = useTranslation("toolbox");
  const { address, services, totalScanned, closed, silent, duration } = result;
  return (
    <>
      <Summary tone={services.length > 0 ? "good" : "info"}>
        {services.length === 0 ? t("ports.none") : t("ports.open", { count: services.length })}
      </Summary>
      {services.length > 0 && (
        <Table
          columns={[
            {
              id: "port",
              head: t("ports.port"),
              width: "w-28",
              names: true,
              cell: ({ port, protocol }) => (
                <span className="font-medium tabular-nums">{`${port}/${protocol}`}</span>
              ),
            },
            { id: "service", head: t("ports.service"), width: "w-36", cell: ({ service }) => service ?? "–" },
            {
              id: "banner",
              head: t("ports.banner"),
              cell: ({ banner }) => <span className="wrap-anywhere text-ink-muted">{banner ?? "–"}</span>,
            },
          ]}
          rows={services}
          keyOf={({ port }) => port}
        />
      )}
      <p className="px-4 text-sm text-pretty text-ink-faint">
        {t("ports.of", {
          count: totalScanned,
          address,
          closed,
          silent,
          time: formatRuntime(duration, i18n.language),
        })}
      </p>
    </>
  );
}
