import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { type Incident, type IncidentDevice, incidentDevicesQuery } from "../api/incidents.ts";
import { Section } from "../components/Card.tsx";
import { Loaded } from "../components/Loaded.tsx";
import { type Column, Table } from "../components/Table.tsx";
import { useNow } from "../components/use-now.ts";
import { formatDateTime, formatMoment, numberFormat } from "../i18n/format.ts";
import { formatShare } from "../i18n/format-amounts.ts";
import { monitorKinds } from "../kinds.ts";
import { type ListedColumn, useListColumns } from "../monitors/device/list-columns.ts";
import { MoreMembers } from "./IncidentStatusText.tsx";

/** The rows of a list before the rest is unfolded. */
const rowsShown = 5;

/** What the devices were doing when it began: those that are affected, and those on which what is affected runs. */
export function DevicesCard({ incident }: { incident: Incident }) {
  const { t } = useTranslation("incidents");
  const query = useQuery(incidentDevicesQuery(incident.id));
  // Most incidents are of what runs on no device that is known here.
  if (query.isPending || query.data?.length === 0) return null;
  const [only, ...others] = query.data ?? [];
  const isOne = only !== undefined && others.length === 0;
  const title = isOne ? t("devices.titleOf", { name: only.device.name }) : t("devices.title");
  return (
    <Section title={title} trailing={isOne && <Beginning of={only} />}>
      <Loaded of={query} failed={t("devices.failed")} loading={null}>
        {(devices) =>
          isOne ? (
            <DeviceThen key={only.device.id} of={only} />
          ) : (
            <div className="grid gap-3 px-4 pb-4">
              {devices.map((one) => (
                <MoreMembers key={one.device.id} label={one.device.name} className="-mx-4">
                  <div className="px-4">
                    <Beginning of={one} />
                  </div>
                  <DeviceThen of={one} />
                </MoreMembers>
              ))}
            </div>
          )
        }
      </Loaded>
    </Section>
  );
}

/** When that was seen, and the way to the device as it is now. */
function Beginning({ of: { at, device } }: { of: IncidentDevice }) {
  const { t, i18n } = useTranslation("incidents");
  const now = useNow();
  return (
    <span className="flex flex-wrap gap-x-3 text-sm text-ink-muted">
      {at !== null && (
        <time dateTime={at} title={formatDateTime(at, i18n.language)} className="tabular-nums">
          {t("devices.at", { time: formatMoment(at, now, i18n.language) })}
        </time>
      )}
      <Link
        to={monitorKinds.device.pages.one}
        params={{ id: String(device.id) }}
        className="rounded-sm underline underline-offset-4 hover:text-ink"
      >
        {t("devices.open")}
      </Link>
    </span>
  );
}

function DeviceThen({ of: seen }: { of: IncidentDevice }) {
  const { t } = useTranslation("incidents");
  const { at, processes, newConnections, changes } = seen;
  return (
    <div className="grid min-w-0 gap-4 pb-2">
      {at === null ? (
        <p className="px-4 text-ink-muted">{t("devices.nothing")}</p>
      ) : (
        <>
          <MetricsThen of={seen} />
          <Part title={t("devices.processes")}>
            <Processes of={processes} />
          </Part>
          <Part title={t("devices.connections")}>
            <Connections of={newConnections} />
          </Part>
        </>
      )}
      <Part title={t("devices.changes")}>
        <Changes of={changes} />
      </Part>
    </div>
  );
}

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="min-w-0">
    <h3 className="px-4 text-sm text-ink-faint">{title}</h3>
    {children}
  </section>
);

function MetricsThen({ of: { figures: metrics } }: { of: IncidentDevice }) {
  const { t, i18n } = useTranslation(["monitors/device", "incidents"]);
  const { language } = i18n;
  const share = (percent: number | null) => percent !== null && formatShare(percent, language);
  const load = numberFormat(language, { maximumFractionDigits: 2 });
  const known = [
    [t("monitors/device:column.cpu"), share(metrics.cpuUsage)],
    [t("incidents:devices.load"), metrics.load !== null && load.format(metrics.load)],
    [t("monitors/device:column.memory"), share(metrics.memoryUsage)],
    [t("monitors/device:page.detail.swap"), share(metrics.swapUsage)],
    [t("monitors/device:column.disk"), share(metrics.diskUsage)],
  ] as const;
  return (
    <dl className="flex flex-wrap gap-x-8 gap-y-2 px-4 pt-1">
      {known.map(
        ([label, value]) =>
          value !== false && (
            <div key={label}>
              <dt className="text-xs text-ink-faint">{label}</dt>
              <dd className="text-lg font-semibold tabular-nums">{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

function Processes({ of: items }: { of: IncidentDevice["processes"] }) {
  const { t } = useTranslation("incidents");
  const columns = useListColumns("processes");
  return (
    <Rows
      items={items}
      columns={shownAs(columns, { name: "w-2/5", cpu: "w-24", memory: "w-24" }, { command: "" })}
      note={({ command }) => <Text text={command} />}
      nothing={t("devices.noProcesses")}
    />
  );
}

function Connections({ of: items }: { of: IncidentDevice["newConnections"] }) {
  const { t } = useTranslation("incidents");
  const columns = useListColumns("network");
  return (
    <Rows
      items={items ?? []}
      columns={shownAs(columns, { process: "w-1/3", remote: "" }, { local: "", status: "w-32" })}
      note={({ localAddress, localPort, status }) => (
        <Text text={`${localAddress}:${localPort} · ${status}`} />
      )}
      nothing={t(items === null ? "devices.notLooked" : "devices.noConnections")}
    />
  );
}

function Changes({ of: items }: { of: IncidentDevice["changes"] }) {
  const { t } = useTranslation("incidents");
  const columns = useListColumns("changes");
  return (
    <Rows
      items={items}
      columns={shownAs(
        columns,
        { name: "w-1/3", change: "w-28", version: "" },
        { formerVersion: "", time: "w-48" },
      )}
      nothing={t("devices.noChanges")}
    />
  );
}

const Text = ({ text }: { text: string }) => <bdi className="wrap-anywhere">{text}</bdi>;

/** Those columns, in that order and of these widths; the `wide` ones only where there is room. */
function shownAs<Row>(
  columns: readonly (ListedColumn<Row> & { head: string })[],
  narrow: Record<string, string>,
  wide: Record<string, string>,
): Column<Row>[] {
  return Object.entries({ ...narrow, ...wide }).flatMap(([id, width], at): Column<Row>[] => {
    const column = columns.find((one) => one.id === id);
    if (!column) return [];
    const { head, text, align } = column;
    const place = {
      ...(width !== "" && { width }),
      ...(align && { align }),
      ...(id in wide && { wide: true }),
    };
    return [{ id, head, names: at === 0, cell: (row) => <Text text={text(row)} />, ...place }];
  });
}

interface RowsProps<Row> {
  items: readonly Row[];
  columns: readonly Column<Row>[];
  note?: (row: Row) => ReactNode;
  nothing: string;
}

/** The first rows, and the others once they are unfolded. */
function Rows<Row extends object>({ items, columns, note, nothing }: RowsProps<Row>) {
  const { t } = useTranslation("incidents");
  const [isOpen, setOpen] = useState(false);
  if (items.length === 0) return <p className="px-4 py-1.5 text-sm text-ink-muted">{nothing}</p>;
  const isFolded = !isOpen && items.length > rowsShown + 1;
  const shown = isFolded ? items.slice(0, rowsShown) : items;
  return (
    <>
      <Table columns={columns} rows={shown} keyOf={(row) => items.indexOf(row)} {...(note && { note })} />
      {isFolded && (
        <button
          type="button"
          onClick={() => setOpen(true)}
          className="mx-4 my-1.5 rounded-sm text-sm text-ink-muted underline underline-offset-4 hover:text-ink"
        >
          {t("devices.more", { count: items.length - rowsShown })}
        </button>
      )}
    </>
  );
}
