import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Incident, Severity } from "../../api/incidents.ts";
import { Field } from "../../components/Field.tsx";
import { textOf } from "../../components/form-text.ts";
import { TextArea } from "../../components/TextArea.tsx";
import { Select } from "../../forms/Select.tsx";

const severities: readonly Severity[] = ["low", "medium", "high", "critical"];

/** What the API may find wrong in them. */
export const incidentFields = ["title", "description", "severity"] as const;

interface IncidentFieldsProps {
  /** What stands in them at first. */
  initial?: Pick<Incident, "title" | "description" | "severity">;
  errors: Partial<Record<(typeof incidentFields)[number], string[]>>;
}

/** What a person says of an incident: its title, what is known, how bad it is. Read by `readIncident`. */
export function IncidentFields({ initial, errors }: IncidentFieldsProps) {
  const { t } = useTranslation("incidents");
  const id = useId();
  const [severity, setSeverity] = useState<Severity>(initial?.severity ?? "medium");
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
      <div className="grid gap-1.5">
        <label htmlFor={`${id}-severity`} className="text-sm font-medium">
          {t("column.severity")}
        </label>
        <Select
          id={`${id}-severity`}
          name="severity"
          value={severity}
          options={severities.map((one) => [one, t(`severity.${one}`)])}
          onChange={(next) => setSeverity(next as Severity)}
        />
      </div>
    </>
  );
}

/** What was typed into the form's IncidentFields. */
export function readIncident(form: HTMLFormElement) {
  const data = new FormData(form);
  return {
    title: textOf(data, "title"),
    description: textOf(data, "description"),
    severity: textOf(data, "severity") as Severity,
  };
}
