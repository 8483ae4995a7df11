import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { incidentPagesQuery } from "../../api/incident-pages.ts";
import { type IncidentStatus, stillDown } from "../../api/incidents.ts";
import { Button } from "../../components/Button.tsx";
import { FailureNotice } from "../../components/FailureNotice.tsx";
import { TextArea } from "../../components/TextArea.tsx";
import { useFormErrors } from "../../components/use-form-errors.ts";
import { Select } from "../../forms/Select.tsx";
import { DraftTools } from "./DraftTools.tsx";
import { PagesField } from "./PagesField.tsx";
import { ResolveDialog } from "./ResolveDialog.tsx";
import type { ComposeProps, Updating } from "./use-update.ts";

interface UpdateFormProps extends ComposeProps {
  updating: Updating;
}

/** Tells visitors of the status pages that are chosen, with a new state where there is one. */
export function UpdateForm({ incident, text, onText, updating }: UpdateFormProps) {
  const { t } = useTranslation("incidents");
  const { status, choices, moved, choice, drafting } = updating;
  const [isAsking, setAsking] = useState(false);
  const { data: pages } = useQuery(incidentPagesQuery(incident.id));
  const { form, fields, failure } = useFormErrors(updating.error, ["message", "status"]);
  const send = () => {
    setAsking(false);
    updating.send();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (moved === "resolved" && stillDown(incident).length > 0) setAsking(true);
    else send();
  };
  return (
    <form ref={form} onSubmit={submit} noValidate className="grid gap-3">
      <FailureNotice of={failure} />
      <TextArea
        name="message"
        label={t("compose.update")}
        hideLabel
        hint={t("compose.updateText")}
        errors={[...(fields["message"] ?? []), ...(fields["status"] ?? [])]}
        placeholder={t("compose.updatePlaceholder")}
        rows={3}
        className="field-sizing-content max-h-96 min-h-22"
        maxLength={10_000}
        value={text}
        readOnly={drafting.isWriting}
        onChange={({ target }) => onText(target.value)}
      />
      {pages && pages.length > 0 && <DraftTools drafting={drafting} />}
      {pages ? (
        <PagesField pages={pages} choice={choice} before={null} onChange={updating.setChoice} />
      ) : (
        <p className="text-sm text-ink-muted">{t("publish.unknown")}</p>
      )}
      <div className="flex flex-wrap items-center justify-between gap-3">
        {choices.length > 0 && (
          <Select
            aria-label={t("compose.status")}
            className="sm:max-w-60"
            value={status}
            options={[["", t("compose.keep")], ...choices.map((to) => [to, t(`status.${to}`)] as const)]}
            onChange={(to) => updating.setStatus(to as IncidentStatus | "")}
          />
        )}
        <Button type="submit" busy={updating.isSending} disabled={text.trim() === ""} className="ml-auto">
          {t("compose.post")}
        </Button>
      </div>
      {isAsking && <ResolveDialog incident={incident} onConfirm={send} onClose={() => setAsking(false)} />}
    </form>
  );
}
