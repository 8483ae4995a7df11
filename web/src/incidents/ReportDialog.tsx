import { useNavigate } from "@tanstack/react-router";
import type { FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { useReportIncident } from "../api/incidents.ts";
import { Button } from "../components/Button.tsx";
import { Dialog, DialogButtons } from "../components/Dialog.tsx";
import { FailureNotice } from "../components/FailureNotice.tsx";
import { useFocusBack } from "../components/use-focus-back.ts";
import { useFormErrors } from "../components/use-form-errors.ts";
import { IncidentFields, incidentFields, readIncident } from "./IncidentFields.tsx";

/** Takes down what somebody has noticed, and leads to it. */
export function ReportDialog({ onClose }: { onClose: () => void }) {
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
        <FailureNotice of={failure} />
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
