import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { checksPerLocation, type LocationChecks, locationsQuery } from "../../api/monitor.ts";
import { Section } from "../../components/Card.tsx";
import { Loaded } from "../../components/Loaded.tsx";
import { type Column, Table } from "../../components/Table.tsx";
import { useNow } from "../../components/use-now.ts";
import { formatAgo, formatResponseTime } from "../../i18n/format.ts";
import { useKind } from "../descriptor.ts";

type Check = LocationChecks[string][number];

type Row = readonly [code: string, checks: readonly Check[]];

const fills = { up: "bg-up", degraded: "bg-warn", down: "bg-down", unknown: "bg-idle" } as const;

export function LocationsCard({ id }: { id: number }) {
  const { t } = useTranslation("monitors");
  const kind = useKind();
  const query = useQuery(locationsQuery(kind, id));
  const columns = useColumns();
  return (
    <Section title={t("locations.title")}>
      <Loaded
        of={query}
        failed={t("locations.failed")}
        loading={<Table columns={columns} rows={undefined} keyOf={String} expected={1} />}
        isEmpty={(locations) => Object.keys(locations).length === 0}
        empty={t("locations.empty")}
      >
        {(locations) => <Table columns={columns} rows={Object.entries(locations)} keyOf={([code]) => code} />}
      </Loaded>
    </Section>
  );
}

function useColumns(): Column<Row>[] {
  const { t, i18n } = useTranslation("monitors");
  const now = useNow();
  return [
    {
      id: "location",
      head: t("locations.location"),
      cell: ([code]) => code,
      names: true,
      width: "w-1/4 @max-lg:w-1/3",
      className: "truncate font-medium",
    },
    {
      id: "checks",
      head: t("locations.checks"),
      cell: ([, checks]) => <CheckMarks checks={checks} />,
    },
    {
      id: "response",
      head: t("locations.response"),
      cell: ([, checks]) => {
        const time = checks.find(
          (check) => check.status === "up" && check.responseTime !== null,
        )?.responseTime;
        return time == null ? "–" : formatResponseTime(time, i18n.language);
      },
      align: "end",
      width: "w-21",
      className: "text-ink-muted",
    },
    {
      id: "checked",
      head: t("locations.checked"),
      cell: ([, [newest]]) => newest && formatAgo(now - Date.parse(newest.timestamp), i18n.language),
      align: "end",
      wide: true,
      width: "w-36",
      className: "truncate text-ink-muted",
    },
  ];
}

/** A mark a check, oldest first; how many passed for those who cannot see them. */
function CheckMarks({ checks }: { checks: readonly Check[] }) {
  const { t } = useTranslation("monitors");
  const passed = checks.filter(({ status }) => status === "up").length;
  const places = Array.from({ length: checksPerLocation }, (_, at) => checks[checksPerLocation - 1 - at]);
  return (
    <>
      <span className="sr-only">{t("locations.passed", { passed, count: checks.length })}</span>
      <span aria-hidden className="flex h-5 gap-px py-0.5">
        {places.map((check, at) => (
          <span
            key={check?.timestamp ?? at}
            className={`max-w-1 flex-1 rounded-2xs ${check ? fills[check.state] : "bg-line"}`}
          />
        ))}
      </span>
    </>
  );
}
