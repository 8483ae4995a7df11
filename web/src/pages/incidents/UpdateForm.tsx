import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { incidentPagesQuery, type PageChoice } from "../../api/incident-pages.ts";
import { type Incident, type IncidentStatus, stillDown, useIncidentAct } from "../../api/incidents.ts";
import { Button } from "../../components/Button.tsx";
import { FailureNotice } from "../../components/FailureNotice.tsx";
import { TextArea } from "../../components/TextArea.tsx";
import { useFormErrors } from "../../components/use-form-errors.ts";
import { Select } from "../../forms/Select.tsx";
import { DraftTools } from "./DraftTools.tsx";
import { PagesField } from "./PagesField.tsx";
import { ResolveDialog } from "./ResolveDialog.tsx";
import { useDraft } from "./use-draft.ts";

/** Where people may move it on to (server/src/incident/status-rules.ts); what is resolved is reopened. */
const next: readonly IncidentStatus[] = ["investigating", "identified", "monitoring", "resolved"];

/** What each form of the composer is given: what is typed stays when the other one is looked at. */
export interface ComposeProps {
  incident: Incident;
  text: string;
  onText: (text: string) => void;
}

/** Tells visitors of the status pages that are chosen, with a new state where there is one. */
export function UpdateForm({ incident, text, onText }: ComposeProps) {
  const { t } = useTranslation("incidents");
  const act = useIncidentAct();
  const [status, setStatus] = useState<IncidentStatus | "">("");
  const [choice, setChoice] = useState<PageChoice>(null);
  const [isAsking, setAsking] = useState(false);
  const { data: pages } = useQuery(incidentPagesQuery(incident.id));
  const { form, fields, failure } = useFormErrors(act.error, ["message", "status"]);
  const choices = incident.resolvedAt === null ? next.filter((one) => one !== incident.status) : [];
  const moved = choices.find((one) => one === status);
  // Where nobody outside reads it, it is about what all pages show.
  const about = { status: moved ?? incident.status, ...(choice?.length && { pages: choice }) };
  const drafting = useDraft({ id: incident.id, about, text, onText });
  const send = () => {
    setAsking(false);
    act.mutate(
      {
        act: "update",
        id: incident.id,
        message: text,
        ...(moved && { status: moved }),
        ...(choice !== null && { pages: choice }),
      },
      {
        onSuccess: () => {
          onText("");
          drafting.forget();
          setStatus("");
          setChoice(null);
        },
      },
    );
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
        <PagesField pages={pages} choice={choice} onChange={setChoice} />
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
            onChange={(to) => setStatus(to as IncidentStatus | "")}
          />
        )}
        <Button type="submit" busy={act.isPending} disabled={text.trim() === ""} className="ml-auto">
          {t("compose.post")}
        </Button>
      </div>
      {isAsking && <ResolveDialog incident={incident} onConfirm={send} onClose={() => setAsking(false)} />}
    </form>
  );
}
