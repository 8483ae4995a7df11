import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { CircleCheck, SearchX } from "lucide-react";
import { type FormEvent, useCallback, useId, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { problemCountsQuery } from "../api/dashboard-stats.ts";
import {
  type IncidentsRead,
  type IncidentView,
  incidentFilters,
  incidentPageQuery,
  readIncidents,
  severities,
  usualSort,
} from "../api/incident-list.ts";
import { type Incident, type Severity, useReportIncident } from "../api/incidents.ts";
import { useMayWrite } from "../api/roles.ts";
import { Button } from "../components/Button.tsx";
import { FailureCallout } from "../components/Callout.tsx";
import { Card } from "../components/Card.tsx";
import { Dialog, DialogButtons } from "../components/Dialog.tsx";
import { useFocusBack } from "../components/focus.ts";
import { EmptyState, Loaded } from "../components/Loaded.tsx";
import { PageBar, usePageTitle } from "../components/PageBar.tsx";
import { useFormErrors } from "../components/use-form-errors.ts";
import { useDebounced } from "../components/use-now.ts";
import { MonitorChooser } from "../forms/MonitorChooser.tsx";
import { Select } from "../forms/Select.tsx";
import { useMonitorChoice } from "../forms/use-monitor-choice.ts";
import { DataList } from "../list/DataList.tsx";
import type { ListPage } from "../list/descriptor.ts";
import { FilterButtons } from "../list/FilterButtons.tsx";
import { ListFilters, SearchBox } from "../list/ListFilters.tsx";
import { ListSkeleton } from "../list/ListRow.tsx";
import { type RowRange, useListRows } from "../list/use-list-rows.ts";
import { useSelection } from "../list/use-selection.ts";
import { AcknowledgeBar } from "./AcknowledgeBar.tsx";
import type english from "./en.json";
import { IncidentFields, incidentFields, readIncident } from "./IncidentFields.tsx";
import type { IncidentSearch } from "./incident-search.ts";
import { useResolving } from "./ResolveDialog.tsx";
import { useIncidentList } from "./use-incident-list.tsx";

declare module "../i18n/texts.ts" {
  interface PageTexts {
    incidents: typeof english;
  }
}

/** As fast as anybody types, and no request for every letter of it. */
const typingMs = 120;
const noRows: RowRange = { first: 0, last: 0 };
const nothing = () => {};

const rowsOf = ({ incidents, total }: IncidentsRead): ListPage<Incident> => ({ items: incidents, total });
const pageQuery = (view: IncidentView, page: number) => ({
  ...incidentPageQuery(view, page),
  select: rowsOf,
});

/** The view that the address names; the same object while it names the same. */
function useView(): IncidentView {
  const {
    which = "active",
    q = "",
    severity,
    monitor,
    sort = usualSort,
  } = useSearch({ from: "/app/incidents" });
  const search = useDebounced(q.trim(), typingMs);
  return useMemo(
    () => ({ filter: which, search, severity, monitor, sort }),
    [which, search, severity, monitor, sort],
  );
}

export function IncidentsPage() {
  const { t } = useTranslation("incidents");
  const mayWrite = useMayWrite();
  const { data: problemCounts } = useQuery(problemCountsQuery);
  const open = problemCounts?.incidents ?? 0;
  usePageTitle(open > 0 ? t("pageTitleOpen", { count: open }) : t("title"));
  const [isReporting, setReporting] = useState(false);
  return (
    <>
      <PageBar heading title={t("title")}>
        {mayWrite && (
          <Button data-report variant="quiet" onClick={() => setReporting(true)}>
            {t("action.report")}
          </Button>
        )}
      </PageBar>
      <Incidents />
      {isReporting && <ReportDialog onClose={() => setReporting(false)} />}
    </>
  );
}

function Incidents() {
  const { t } = useTranslation("incidents");
  const mayWrite = useMayWrite();
  const shown = useSearch({ from: "/app/incidents" });
  const client = useQueryClient();
  const [inSight, setInSight] = useState(noRows);
  const rows = useListRows(pageQuery, useView(), inSight);
  const readRange = useCallback(
    (view: IncidentView, from: number, to: number) => readIncidents(client, view, from, to),
    [client],
  );
  const selection = useSelection(rows.view, readRange);
  const { resolve, confirmation } = useResolving();
  const list = useIncidentList(resolve);
  const navigate = useNavigate();
  const look = (next: IncidentSearch, isTyped = false) =>
    void navigate({
      to: "/incidents",
      search: { ...shown, ...next },
      replace: isTyped,
      resetScroll: false,
    });
  const sortBy = (sort: string) =>
    look({ sort: sort === usualSort ? undefined : (sort as IncidentView["sort"]) });
  const lookAtAll = () => look({ which: "all", q: undefined, severity: undefined, monitor: undefined });
  return (
    <>
      <IncidentFilters shown={shown} onShow={look} />
      <Loaded of={rows.total} failed={t("failed")} loading={<ListSkeleton list={list} />}>
        {(total) =>
          total > 0 ? (
            <DataList
              list={list}
              sort={rows.view.sort}
              total={total}
              itemAt={rows.itemAt}
              onSight={setInSight}
              onAttention={nothing}
              onUpdate={undefined}
              onSort={sortBy}
              {...(mayWrite && { selection })}
            />
          ) : (
            <Nothing view={rows.view} onClear={lookAtAll} />
          )
        }
      </Loaded>
      {mayWrite && <AcknowledgeBar selection={selection} itemAt={rows.itemAt} />}
      {confirmation}
    </>
  );
}

/** Says that all is well where nothing is open, and offers a way on where nothing was found. */
function Nothing({ view, onClear }: { view: IncidentView; onClear: () => void }) {
  const { t } = useTranslation("incidents");
  const { filter, search, severity, monitor } = view;
  if (search === "" && !severity && !monitor && filter !== "resolved") {
    const words = {
      active: { title: t("none.title"), text: t("none.text") },
      waiting: { title: t("none.waiting"), text: t("none.waitingText") },
      all: { title: t("none.title"), text: t("noneAtAll") },
    }[filter];
    return (
      <Card>
        <EmptyState icon={<CircleCheck aria-hidden className="size-6" strokeWidth={1.5} />} {...words} />
      </Card>
    );
  }
  return (
    <Card>
      <EmptyState
        icon={<SearchX aria-hidden className="size-6" strokeWidth={1.5} />}
        title={t("nothingFits.title")}
        text={t("nothingFits.text")}
      >
        <Button variant="quiet" onClick={onClear}>
          {t("nothingFits.clear")}
        </Button>
      </EmptyState>
    </Card>
  );
}

function ReportDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation("incidents");
  const report = useReportIncident();
  const navigate = useNavigate();
  const focusBack = useFocusBack();
  const { form, fields, failure } = useFormErrors(report.error, incidentFields);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    report.mutate(readIncident(event.currentTarget), {
      onSuccess: (made) => void navigate({ to: "/incidents/$id", params: { id: String(made.id) } }),
    });
  };
  return (
    <Dialog title={t("report.title")} text={t("report.text")} onLeft={focusBack} onClose={onClose}>
      <form ref={form} onSubmit={submit} noValidate className="mt-4 grid gap-5">
        <FailureCallout of={failure} />
        <IncidentFields errors={fields} />
        <DialogButtons onCancel={onClose}>
          <Button type="submit" busy={report.isPending}>
            {t("report.submit")}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}

interface IncidentFiltersProps {
  shown: IncidentSearch;
  /** `isTyped`: the text is being typed, and the address changes in place. */
  onShow: (next: IncidentSearch, isTyped?: boolean) => void;
}

/** Which incidents the list shows: by state, severity, monitor and part of their title. */
function IncidentFilters({ shown, onShow }: IncidentFiltersProps) {
  const { t } = useTranslation("incidents");
  const { which = "active", q = "", severity = "", monitor } = shown;
  const active = [which !== "active", severity !== "", monitor !== undefined].filter(Boolean).length;
  return (
    <ListFilters
      active={active}
      views={
        <FilterButtons
          label={t("filter.label")}
          names={incidentFilters}
          chosen={which}
          onChoose={(next) => onShow({ which: next === "active" ? undefined : next })}
          className="flex-1"
        >
          {(name) => t(`filter.${name}`)}
        </FilterButtons>
      }
      search={
        <SearchBox
          label={t("search")}
          search={q}
          onSearch={(next) => onShow({ q: next || undefined }, true)}
        />
      }
    >
      <div className="grid w-full grid-cols-[minmax(0,1fr)] items-start gap-2 sm:grid-cols-[11rem_minmax(0,1fr)]">
        <Select
          aria-label={t("column.severity")}
          className="max-sm:max-w-none"
          value={severity}
          options={[
            ["", t("filter.severity")],
            ...severities.map((one) => [one, t(`severity.${one}`)] as const),
          ]}
          onChange={(next) => onShow({ severity: (next || undefined) as Severity | undefined })}
        />
        <MonitorBox monitor={monitor} onMonitor={(next) => onShow({ monitor: next })} />
      </div>
    </ListFilters>
  );
}

interface MonitorBoxProps {
  /** Its uuid. */
  monitor: string | undefined;
  onMonitor: (uuid: string | undefined) => void;
}

/** One monitor, in the box that chooses several elsewhere: another one takes its place. */
function MonitorBox({ monitor, onMonitor }: MonitorBoxProps) {
  const { t } = useTranslation("incidents");
  const id = useId();
  const chosen = useMemo(() => (monitor === undefined ? [] : [monitor]), [monitor]);
  const choice = useMonitorChoice(chosen, (uuids) => onMonitor(uuids.at(-1)));
  return (
    <div className="grid max-w-lg min-w-0 gap-1.5 max-sm:max-w-none">
      <MonitorChooser
        control={{ id, "aria-label": t("filter.monitor") }}
        label={t("filter.monitor")}
        placeholder={t("filter.monitor")}
        isWrong={false}
        choice={choice}
      />
    </div>
  );
}
