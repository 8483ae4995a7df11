import { useTranslation } from "react-i18next";
import type { Traceroute } from "../../../../server/src/wire/toolbox/traceroute.ts";
import { Table } from "../../components/Table.tsx";
import { formatResponseTime } from "../../i18n/format.ts";
import { Summary } from "../Summary.tsx";

/** The routers on the way to a host. */
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
