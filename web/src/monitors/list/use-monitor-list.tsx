import type { TFunction } from "i18next";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { Monitor } from "../../api/monitor-list.ts";
import { useMayWrite } from "../../api/roles.ts";
import { StatusDot } from "../../components/StatusDot.tsx";
import { formatResponseTime } from "../../i18n/format.ts";
import { editPageOf, pageOf } from "../../kinds.ts";
import type { ListColumn, ListDescriptor, RowAction } from "../../list/descriptor.ts";
import { type ListOfKind, useKindTexts } from "../descriptor.ts";
import { type MonitorAct, type MonitorActId, useMonitorActs } from "../monitor-acts.ts";
import { shownResponseTime, shownStatus } from "../monitor-view.ts";
import { CertificateText, StatusText, useStatusDetails } from "../StatusText.tsx";
import { HoursCell, ResponseCell, UptimeCell } from "./columns.tsx";
import { TagChips } from "./TagChips.tsx";

/** The list of a kind of monitor, for DataList. `onDelete` confirms. */
export function useMonitorList(
  ofKind: ListOfKind,
  onDelete: (monitor: Monitor) => void,
): ListDescriptor<Monitor> {
  const { kind, address, icon, metrics } = ofKind;
  const { i18n } = useTranslation("monitors");
  const k = useKindTexts();
  const columns = useMonitorColumns(ofKind);
  const menu = useMonitorMenu(ofKind, onDelete);
  const detailsOf = useStatusDetails();
  const mayWrite = useMayWrite();
  const { language } = i18n;
  return useMemo(
    () => ({
      id: kind.id,
      label: k("title"),
      name: { head: k("column.name"), sort: "name" },
      columns,
      nameOf: ({ name }) => name,
      pathOf: ({ id }) => pageOf(kind, id),
      ...(mayWrite && { editPathOf: ({ id }: Monitor) => editPageOf(kind, id) }),
      statusOf: shownStatus,
      detailsOf: (monitor) => detailsOf(monitor, shownStatus(monitor)),
      lead: (monitor) => (
        <>
          <StatusDot status={shownStatus(monitor)} className="mt-1.5" />
          {icon?.(monitor)}
        </>
      ),
      beside: ({ tags }) => tags.length > 0 && <TagChips tags={tags} />,
      under: address,
      figure: (monitor) => {
        if (metrics) return null;
        const time = shownResponseTime(monitor);
        if (time === null) return null;
        const words = formatResponseTime(time, language);
        return <span className="text-sm whitespace-nowrap text-ink-muted tabular-nums">{words}</span>;
      },
      summary: (monitor) => (
        <>
          <StatusText monitor={monitor} status={shownStatus(monitor)} isCompact />
          {metrics?.(monitor)}
        </>
      ),
      menu,
    }),
    [kind, address, icon, metrics, k, columns, menu, detailsOf, mayWrite, language],
  );
}

function useMonitorColumns(ofKind: ListOfKind): readonly ListColumn<Monitor>[] {
  const { t } = useTranslation("monitors");
  const k = useKindTexts();
  return useMemo(
    () => [
      {
        id: "status",
        head: t("column.status"),
        sort: "status",
        widthRem: ofKind.statusRem ?? 16,
        grows: true,
        rank: 0,
        stays: true,
        cell: (monitor) => <StatusText monitor={monitor} status={shownStatus(monitor)} />,
      },
      ...(ofKind.columns?.((key) => k(key as "title")) ?? checkColumns(t)),
    ],
    [t, k, ofKind],
  );
}

/** What checks measure. */
const checkColumns = (t: TFunction<"monitors">): ListColumn<Monitor>[] => [
  {
    id: "hours",
    head: t("column.hours"),
    widthRem: 4.5,
    rank: 2,
    cell: (monitor) => <HoursCell monitor={monitor} />,
  },
  {
    id: "response",
    head: t("column.response"),
    sort: "responseTime",
    widthRem: 7,
    rank: 1,
    align: "end",
    cell: (monitor) => <ResponseCell monitor={monitor} />,
  },
  {
    id: "certificate",
    head: t("column.certificate"),
    sort: "certificate",
    widthRem: 5.5,
    rank: 4,
    align: "end",
    cell: (monitor) => <CertificateText monitor={monitor} />,
  },
  {
    id: "uptime",
    head: t("column.uptime"),
    hint: t("column.uptimeHint"),
    sort: "uptime",
    widthRem: 4.5,
    rank: 3,
    align: "end",
    cell: (monitor) => <UptimeCell monitor={monitor} />,
  },
];

/** What a row's menu offers, in this order. */
const menuActs: readonly MonitorActId[] = ["check", "edit", "mute", "unmute", "toggle", "copy", "delete"];

/** What can be done with a monitor; who may not change anything can copy its address. */
function useMonitorMenu(
  { kind }: ListOfKind,
  onDelete: (monitor: Monitor) => void,
): (monitor: Monitor) => readonly RowAction[] {
  const { t } = useTranslation("monitors");
  const actsOf = useMonitorActs(kind, { onDelete });
  return useMemo(() => {
    const labelOf = (word: MonitorAct["word"]) =>
      word === "copy" ? t(`copy.${kind.id}.action`) : t(`row.${word as "check"}`);
    return (monitor) => {
      const acts = actsOf(monitor);
      return menuActs.flatMap((id) => {
        const act = acts[id];
        if (!act?.offered) return [];
        const { word, icon: Icon, danger = false, run } = act;
        return { id, label: labelOf(word), icon: <Icon aria-hidden />, danger, run };
      });
    };
  }, [kind, t, actsOf]);
}
