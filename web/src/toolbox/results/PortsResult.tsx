import { useTranslation } from "react-i18next";
import type { PortScan } from "../../../../server/src/wire/toolbox/port-scan.ts";
import { Table } from "../../components/Table.tsx";
import { formatRuntime } from "../../i18n/format.ts";
import { Summary } from "../Summary.tsx";

/** Which ports are open, and what listens there. */
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
