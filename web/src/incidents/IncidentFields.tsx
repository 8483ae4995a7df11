import { useQuery } from "@tanstack/react-query";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { IMPACT_OF_SEVERITY, IMPACTS } from "../../../server/src/platform/monitor-defaults.ts";
import { severities } from "../api/incident-list.ts";
import {
  chosenPages,
  incidentPagesQuery,
  type PageChoice,
  pagesShowingQuery,
  pagesToCome,
} from "../api/incident-pages.ts";
import { type Impact, type Incident, incidentUpdatesQuery, type Severity } from "../api/incidents.ts";
import { Field, TextArea } from "../components/Field.tsx";
import { textOf } from "../components/use-form-errors.ts";
import { LabelledSelect } from "../forms/LabelledSelect.tsx";
import { MonitorsBox } from "../forms/MonitorChooser.tsx";
import { Select } from "../forms/Select.tsx";
import { useMonitorChoice } from "../forms/use-monitor-choice.ts";
import { formatNames } from "../i18n/format.ts";
import { Reach } from "./IncidentStatusText.tsx";
import { PagesField } from "./PagesField.tsx";

/** The boxes that show what the API finds wrong in them; the dialog shows everything else. */
export const incidentFields = ["title", "description", "severity", "monitorIds"] as const;

interface NamedByPeople {
  id: number;
  uuid: string;
}

interface IncidentFieldsProps {
  initial?: Pick<Incident, "id" | "automatic" | "title" | "description" | "severity"> & {
    monitors: readonly NamedByPeople[];
    /** Of one that people reported. */
    impact: Impact | undefined;
  };
  errors: Partial<Record<(typeof incidentFields)[number], string[]>>;
}

/** What a person says of an incident: its title, what is known, what it affects, how bad it is. Read by `readIncident`. */
export function IncidentFields({ initial, errors }: IncidentFieldsProps) {
  const { t } = useTranslation("incidents");
  const id = useId();
  const [severity, setSeverity] = useState<Severity>(initial?.severity ?? "medium");
  const [chosen, setChosen] = useState(() => (initial?.monitors ?? []).map(({ uuid }) => uuid));
  return (
    <>
      <Field
        name="title"
        label={t("report.name")}
        errors={errors.title}
        defaultValue={initial?.title}
        maxLength={255}
        autoComplete="off"
      />
      <TextArea
        name="description"
        label={t("report.description")}
        errors={errors.description}
        defaultValue={initial?.description}
        maxLength={10_000}
      />
      <AffectedMonitors
        known={initial?.monitors ?? []}
        chosen={chosen}
        onChange={setChosen}
        errors={errors.monitorIds}
      />
      <div className="grid gap-1.5">
        <label htmlFor={`${id}-severity`} className="text-sm font-medium">
          {t("column.severity")}
        </label>
        <Select
          id={`${id}-severity`}
          name="severity"
          value={severity}
          options={severities.toReversed().map((one) => [one, t(`severity.${one}`)])}
          onChange={(next) => setSeverity(next as Severity)}
        />
      </div>
      {initial?.impact && <ImpactField severity={severity} initial={initial.impact} />}
      {initial && <PagesToCome incident={initial} monitors={chosen} />}
      {!initial && <PublishFields monitors={chosen} severity={severity} />}
    </>
  );
}

interface AffectedMonitorsProps {
  /** Those that need not be fetched. */
  known: readonly NamedByPeople[];
  /** Their uuids. */
  chosen: string[];
  onChange: (uuids: string[]) => void;
  errors: string[] | undefined;
}

/** The form is sent with the numbers of those that are chosen. */
function AffectedMonitors({ known, chosen, onChange, errors }: AffectedMonitorsProps) {
  const { t } = useTranslation("incidents");
  const choice = useMonitorChoice(chosen, (uuids) => onChange([...uuids]));
  const idOf = (uuid: string) => known.find((one) => one.uuid === uuid)?.id ?? choice.named.get(uuid)?.id;
  return (
    <>
      <MonitorsBox label={t("report.monitors")} choice={choice} errors={errors} />
      {chosen.map((uuid) => (
        <input key={uuid} type="hidden" name="monitorIds" value={idOf(uuid) ?? ""} />
      ))}
    </>
  );
}

export function readIncident(form: HTMLFormElement) {
  const data = new FormData(form);
  return {
    title: textOf(data, "title"),
    description: textOf(data, "description"),
    severity: textOf(data, "severity") as Severity,
    monitorIds: data
      .getAll("monitorIds")
      .map(Number)
      .filter((id) => id > 0),
    pages: data.getAll("pages").map(String),
    impact: (data.get("impact") ?? undefined) as Impact | undefined,
  };
}

interface PagesToComeProps {
  incident: Pick<Incident, "id" | "automatic">;
  /** What people say that it affects, by uuids. */
  monitors: readonly string[];
}

/** Status pages that show an incident because of what it affects from now on, and the number of subscribers notified. */
function PagesToCome({ incident, monitors }: PagesToComeProps) {
  const { t, i18n } = useTranslation("incidents");
  const { data: log } = useQuery(incidentUpdatesQuery(incident.id));
  const { data: present } = useQuery(incidentPagesQuery(incident.id));
  const { data: later } = useQuery(pagesShowingQuery(monitors));
  if (monitors.length === 0 || !log || !present || !later) return null;
  const more = pagesToCome(incident, log, { present, later });
  if (more.length === 0) return null;
  const names = formatNames(
    more.map(({ name }) => name),
    i18n.language,
  );
  return (
    <div className="grid gap-1">
      <p role="status" className="text-sm wrap-anywhere text-warn-ink">
        {t("edit.toCome", { names })}
      </p>
      <Reach pages={more} />
    </div>
  );
}

/** Nothing is published without an explicit choice. */
const onNone: readonly string[] = [];

interface PublishFieldsProps {
  /** Their uuids. */
  monitors: readonly string[];
  severity: Severity;
}

/** Where a reported incident is published, what visitors read, and how many subscribers are notified. */
function PublishFields({ monitors, severity }: PublishFieldsProps) {
  const { t } = useTranslation("incidents");
  const [choice, setChoice] = useState<PageChoice>(onNone);
  const { data: pages } = useQuery(pagesShowingQuery(monitors));
  if (monitors.length === 0 || !pages) return null;
  const chosen = chosenPages(pages, choice);
  return (
    <>
      <PagesField pages={pages} choice={choice} before={onNone} onChange={setChoice} />
      {chosen.map(({ uuid }) => (
        <input key={uuid} type="hidden" name="pages" value={uuid} />
      ))}
      {chosen.length > 0 && (
        <>
          <ImpactField severity={severity} />
          <div className="grid gap-1">
            <p className="text-sm text-ink-muted">{t("report.visitors")}</p>
            <Reach pages={chosen} />
          </div>
        </>
      )}
    </>
  );
}

/** The impact shown to visitors; follows the severity until it is chosen. */
function ImpactField({ severity, initial }: { severity: Severity; initial?: Impact | undefined }) {
  const { t } = useTranslation("incidents");
  const [chosen, setChosen] = useState(initial);
  return (
    <LabelledSelect
      name="impact"
      label={t("impact.label")}
      value={chosen ?? IMPACT_OF_SEVERITY[severity]}
      options={IMPACTS.map((one) => [one, t(`impact.${one}`)])}
      onChange={(next) => setChosen(next as Impact)}
    />
  );
}
