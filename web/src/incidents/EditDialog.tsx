import type { FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { type Incident, titleOf, useIncidentAct } from "../api/incidents.ts";
import { Button } from "../components/Button.tsx";
import { Dialog, DialogButtons } from "../components/Dialog.tsx";
import { FailureNotice } from "../components/FailureNotice.tsx";
import { useFocusBack } from "../components/use-focus-back.ts";
import { useFormErrors } from "../components/use-form-errors.ts";
import { factInReadersLanguage } from "../i18n/i18n.ts";
import { IncidentFields, incidentFields, readIncident } from "./IncidentFields.tsx";

/** The monitors that people have named; what is down in it by itself stays in it. */
const namedByPeople = ({ affected }: Incident) =>
  affected.flatMap(({ monitorId: id, monitorUuid: uuid, outageStartedAt }) =>
    id === null || uuid === null || outageStartedAt !== null ? [] : { id, uuid },
  );

/** Changes what an incident is called, what is known of it, what it affects and how bad it is. */
export function EditDialog({ incident, onClose }: { incident: Incident; onClose: () => void }) {
  const { t } = useTranslation("incidents");
  const act = useIncidentAct();
  const focusBack = useFocusBack();
  const { form, fields, failure } = useFormErrors(act.error, incidentFields);
  const { id, automatic, severity, description, fact } = incident;
  const shown = {
    ...{ id, automatic },
    title: titleOf(incident),
    description: factInReadersLanguage(description, fact) ?? "",
    severity,
    monitors: namedByPeople(incident),
    impact: automatic ? undefined : incident.impact,
  };
  const shownIds = shown.monitors.map((one) => one.id);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = readIncident(event.currentTarget);
    // What nobody touched stays a fact, which everybody reads in their own language.
    const change = {
      ...(typed.title !== shown.title && { title: typed.title }),
      ...(typed.description !== shown.description && { description: typed.description }),
      ...(typed.severity !== severity && { severity: typed.severity }),
      ...(typed.impact && typed.impact !== incident.impact && { impact: typed.impact }),
      ...(typed.monitorIds.join() !== shownIds.join() && { monitorIds: typed.monitorIds }),
    };
    if (Object.keys(change).length === 0) return onClose();
    act.mutate({ act: "change", id, ...change }, { onSuccess: onClose });
  };
  return (
    <Dialog title={t("edit.title")} onLeft={focusBack} onClose={onClose}>
      <form ref={form} onSubmit={submit} noValidate className="mt-4 grid gap-5">
        <FailureNotice of={failure} />
        <IncidentFields initial={shown} errors={fields} />
        <DialogButtons onCancel={onClose}>
          <Button type="submit" busy={act.isPending}>
            {t("edit.save")}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
