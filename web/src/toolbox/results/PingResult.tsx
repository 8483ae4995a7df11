import { useTranslation } from "react-i18next";
import type { Ping } from "../../../../server/src/wire/toolbox/ping.ts";
import { FactList } from "../../components/Card.tsx";
import { Table } from "../../components/Table.tsx";
import { formatPercentage, formatResponseTime } from "../../i18n/format.ts";
import { Summary } from "../Summary.tsx";

/** How many pings were answered, and how fast. */
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
        <FactList
          facts={[
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
