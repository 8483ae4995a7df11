import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { type Severity, useReportIncident } from "../../api/incidents.ts";
import { Button } from "../../components/Button.tsx";
import { Dialog, DialogButtons } from "../../components/Dialog.tsx";
import { FailureNotice } from "../../components/FailureNotice.tsx";
import { Field } from "../../components/Field.tsx";
import { textOf } from "../../components/form-text.ts";
import { useFocusBack } from "../../components/use-focus-back.ts";
import { useFormErrors } from "../../components/use-form-errors.ts";
import { Select } from "../../forms/Select.tsx";

const severities: readonly Severity[] = ["low", "medium", "high", "critical"];

/** Takes down what somebody has noticed, and leads to it. */
export function ReportDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation("incidents");
  const report = useReportIncident();
  const navigate = useNavigate();
  const focusBack = useFocusBack();
  const id = useId();
  const [severity, setSeverity] = useState<Severity>("medium");
  const { form, fields, failure } = useFormErrors(report.error, ["title", "description"]);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    report.mutate(
      { title: textOf(data, "title"), description: textOf(data, "description"), severity },
      { onSuccess: (made) => void navigate({ to: "/incidents/$id", params: { id: String(made.id) } }) },
    );
  };
  return (
    <Dialog title={t("report.title")} text={t("report.text")} onLeft={focusBack} onClose={onClose}>
      <form ref={form} onSubmit={submit} noValidate className="mt-4 grid gap-5">
        <FailureNotice of={failure} />
        <Field
          name="title"
          label={t("report.name")}
          errors={fields.title}
          maxLength={255}
          autoComplete="off"
        />
        <div className="grid gap-1.5">
          <label htmlFor={`${id}-description`} className="text-sm font-medium">
            {t("report.description")}
          </label>
          <textarea
            id={`${id}-description`}
            name="description"
            rows={4}
            maxLength={10_000}
            className="control h-auto py-2"
          />
        </div>
        <div className="grid gap-1.5">
          <label htmlFor={`${id}-severity`} className="text-sm font-medium">
            {t("column.severity")}
          </label>
          <Select
            id={`${id}-severity`}
            value={severity}
            options={severities.map((one) => [one, t(`severity.${one}`)])}
            onChange={(next) => setSeverity(next as Severity)}
          />
        </div>
        <DialogButtons onCancel={onClose}>
          <Button type="submit" busy={report.isPending}>
            {t("report.submit")}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
