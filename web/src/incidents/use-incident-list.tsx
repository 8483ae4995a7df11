import { Check, CircleCheck, Link as LinkIcon, RotateCcw, Wrench } from "lucide-react";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { type Incident, needsAcknowledging, stillDown, titleOf } from "../api/incidents.ts";
import { useMayWrite } from "../api/roles.ts";
import { useCopy } from "../components/CopyButton.tsx";
import { StatusDot } from "../components/StatusDot.tsx";
import { Time } from "../components/Time.tsx";
import { formatDateTime } from "../i18n/format.ts";
import { translateMessage } from "../i18n/i18n.ts";
import type { ListColumn, ListDescriptor, RowAction } from "../list/descriptor.ts";
import { Lasting, toneOf, useJoinedNames, useStatusWords } from "./IncidentStatusText.tsx";
import { acknowledgeKey, useActs } from "./use-acts.ts";

/** Titles are sentences. */
const titleRoom = { leastRem: 19, shares: 2 };

/** The list of incidents, for DataList; `resolve` confirms where that is needed. */
export function useIncidentList(resolve: (incident: Incident) => void): ListDescriptor<Incident> {
  const { t, i18n } = useTranslation("incidents");
  const columns = useColumns();
  const menu = useMenu(resolve);
  const words = useStatusWords();
  const { language } = i18n;
  return useMemo(
    () => ({
      id: "incidents",
      label: t("title"),
      name: { head: t("column.name"), room: titleRoom },
      columns,
      nameOf: titleOf,
      pathOf: ({ id }) => `/incidents/${id}`,
      statusOf: toneOf,
      detailsOf: (incident) =>
        [reasonOf(incident), t("since", { date: formatDateTime(incident.startedAt, language) })]
          .filter(Boolean)
          .join("\n"),
      lead: (incident) => <StatusDot status={toneOf(incident)} className="mt-1.5" />,
      beside: (incident) => <Maintained of={incident} />,
      under: ({ affectedServices }) => (
        <div className="truncate text-sm text-ink-faint">
          <bdi>{affectedServices.join(", ")}</bdi>
        </div>
      ),
      figure: (incident) => (
        <span className="text-sm whitespace-nowrap">
          <Lasting incident={incident} />
        </span>
      ),
      summary: (incident) => (
        <>
          <span className="flex min-w-0 flex-wrap gap-x-3 text-ink-muted">
            <span className="shrink-0">{words(incident)}</span>
            <span className="shrink-0">{t(`severity.${incident.severity}`)}</span>
            <Acknowledged of={incident} />
          </span>
          <Reason of={incident} className="line-clamp-3" />
        </>
      ),
      menu,
    }),
    [t, language, columns, menu, words],
  );
}

function useColumns(): readonly ListColumn<Incident>[] {
  const { t } = useTranslation("incidents");
  const words = useStatusWords();
  return useMemo(
    () => [
      {
        id: "status",
        head: t("column.status"),
        sort: "status",
        widthRem: 12,
        grows: true,
        rank: 0,
        stays: true,
        cell: (incident) => (
          <>
            <div className="truncate leading-5">{words(incident)}</div>
            <Acknowledged of={incident} />
            <Reason of={incident} className="line-clamp-2 leading-3.5" />
          </>
        ),
      },
      {
        id: "severity",
        head: t("column.severity"),
        sort: "severity",
        widthRem: 5,
        rank: 2,
        cell: ({ severity }) => (
          <span className={severity === "critical" ? "font-medium text-down-ink" : "text-ink-muted"}>
            {t(`severity.${severity}`)}
          </span>
        ),
      },
      {
        id: "assignee",
        head: t("column.assignee"),
        widthRem: 8,
        rank: 4,
        cell: ({ assigneeName }) => (
          <span dir="auto" className="text-ink-muted">
            {assigneeName}
          </span>
        ),
      },
      {
        id: "began",
        head: t("column.began"),
        sort: "startedAt",
        widthRem: 7.5,
        rank: 3,
        align: "end",
        cell: ({ startedAt }) => <Time at={startedAt} as="clock" className="relative text-ink-muted" />,
      },
      {
        id: "lasted",
        head: t("column.lasted"),
        sort: "duration",
        widthRem: 6.5,
        rank: 1,
        align: "end",
        cell: (incident) => <Lasting incident={incident} />,
      },
    ],
    [t, words],
  );
}

/** That what is down in it is in maintenance, or a part of that. */
function Maintained({ of: { affected, resolvedAt } }: { of: Incident }) {
  const { t } = useTranslation("incidents");
  const down = stillDown({ affected });
  const maintained = (down.length > 0 ? down : affected).filter(({ maintenanceUntil }) => maintenanceUntil);
  if (resolvedAt !== null || maintained.length === 0) return null;
  return (
    <span
      title={t("maintenance.text")}
      className="flex shrink-0 items-center gap-1 text-xs whitespace-nowrap text-ink-muted"
    >
      <Wrench aria-hidden className="size-3" />
      {t(maintained.length < down.length ? "maintenance.some" : "maintenance.all")}
    </span>
  );
}

const reasonOf = ({ reason, reasonFact }: Incident): string | null =>
  reason === null ? null : translateMessage(reason, reasonFact);

/** Why it is down; nothing where a person reported it. */
function Reason({ of, className }: { of: Incident; className: string }) {
  const words = reasonOf(of);
  return (
    words !== null && (
      <div dir="auto" className={`text-xs wrap-anywhere text-ink-faint ${className}`}>
        {words}
      </div>
    )
  );
}

/** Who acknowledged an open one, or what joined it since; nothing where it has not been acknowledged. */
function Acknowledged({ of: incident }: { of: Incident }) {
  const { t } = useTranslation("incidents");
  const names = useJoinedNames()(incident);
  const { acknowledgedAt, acknowledgedByName, resolvedAt } = incident;
  if (acknowledgedAt === null || resolvedAt !== null) return null;
  const by = t("acknowledgedBy", { name: acknowledgedByName ?? t("someone") });
  const joined = names !== null && t("joined.notYet", { names });
  return (
    <span
      title={joined ? `${by}\n${joined}` : by}
      className={`min-w-0 text-sm ${joined ? "line-clamp-2 font-medium wrap-anywhere text-down-ink" : "block truncate text-ink-faint"}`}
    >
      {joined || by}
    </span>
  );
}

/** What can be done with one; who may change nothing can copy its link. */
function useMenu(resolve: (incident: Incident) => void): (incident: Incident) => readonly RowAction[] {
  const { t } = useTranslation("incidents");
  const mayWrite = useMayWrite();
  const acts = useActs();
  const copyText = useCopy();
  return useMemo(() => {
    const copy = ({ id }: Incident): RowAction => ({
      id: "copy",
      label: t("action.copy"),
      icon: <LinkIcon aria-hidden />,
      run: () => void copyText(`${location.origin}/incidents/${id}`, t("done.copied")),
    });
    const changes = (incident: Incident): RowAction[] => {
      if (incident.mergedIntoId !== null) return [];
      if (incident.resolvedAt !== null) {
        const run = () => acts.reopen(incident);
        return [{ id: "reopen", label: t("action.reopen"), icon: <RotateCcw aria-hidden />, run }];
      }
      const resolving: RowAction = {
        id: "resolve",
        label: t("action.resolve"),
        icon: <CircleCheck aria-hidden />,
        run: () => resolve(incident),
      };
      if (!needsAcknowledging(incident)) return [resolving];
      const run = () => acts.acknowledge(incident);
      return [
        { id: "acknowledge", label: t(acknowledgeKey(incident)), icon: <Check aria-hidden />, run },
        resolving,
      ];
    };
    return (incident) => [...(mayWrite ? changes(incident) : []), copy(incident)];
  }, [t, mayWrite, acts, resolve, copyText]);
}
