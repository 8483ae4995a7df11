import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { chosenPages, incidentPagesQuery, type PageChoice, unchangedOn } from "../api/incident-pages.ts";
import { type IncidentStatus, stillDown } from "../api/incidents.ts";
import { useFormErrors } from "../components/use-form-errors.ts";
import { Select } from "../forms/Select.tsx";
import { ComposeForm } from "./ComposeForm.tsx";
import { DraftTools } from "./DraftTools.tsx";
import { PagesField } from "./PagesField.tsx";
import { Reach } from "./Reach.tsx";
import { ResolveDialog } from "./ResolveDialog.tsx";
import type { ComposeProps, Updating } from "./use-update.ts";

interface UpdateFormProps extends ComposeProps {
  updating: Updating;
}

/** Tells visitors of the status pages that are chosen, with a new state where there is one. */
export function UpdateForm({ incident, text, onText, updating }: UpdateFormProps) {
  const { t } = useTranslation("incidents");
  const { choices, moved, usual, choice, drafting } = updating;
  const [isAsking, setAsking] = useState(false);
  const { data: pages } = useQuery(incidentPagesQuery(incident.id));
  const chosen = pages && chosenPages(pages, choice);
  const unchanged = chosen ? unchangedOn(chosen) : null;
  const { form, fields, failure } = useFormErrors(updating.error, ["message", "status"]);
  const send = () => {
    setAsking(false);
    updating.send();
  };
  const submit = () => {
    if (moved === "resolved" && stillDown(incident).length > 0) setAsking(true);
    else send();
  };
  return (
    <>
      <ComposeForm
        {...{ form, failure, text, onText }}
        box={{
          name: "message",
          label: t("compose.update"),
          hint: t("compose.updateText"),
          errors: [...(fields["message"] ?? []), ...(fields["status"] ?? [])],
          placeholder: t("compose.updatePlaceholder"),
          className: "field-sizing-content max-h-96 min-h-22",
          readOnly: drafting.isWriting,
        }}
        submitLabel={t("compose.post")}
        busy={updating.isSending}
        onSubmit={submit}
        beside={choices.length > 0 && <StatusChoice updating={updating} />}
        before={chosen && chosen.length > 0 && <Reach pages={chosen} />}
      >
        {pages && pages.length > 0 && (
          <DraftTools drafting={drafting} unchangedSince={moved ? null : unchanged} />
        )}
        {pages ? (
          <PagesField pages={pages} choice={choice} before={usual} onChange={updating.setChoice} />
        ) : (
          <p className="text-sm text-ink-muted">{t(unseen(choice))}</p>
        )}
      </ComposeForm>
      {isAsking && <ResolveDialog incident={incident} onConfirm={send} onClose={() => setAsking(false)} />}
    </>
  );
}

/** Where an update goes as long as nobody knows what the pages are called. */
function unseen(choice: PageChoice) {
  if (choice === null) return "publish.unknown";
  return choice.length === 0 ? "publish.none" : "publish.asBefore";
}

/** Where the update moves the incident on to. */
function StatusChoice({ updating: { status, choices, setStatus } }: Pick<UpdateFormProps, "updating">) {
  const { t } = useTranslation("incidents");
  return (
    <Select
      aria-label={t("compose.status")}
      className="sm:max-w-60"
      value={status}
      options={[["", t("compose.keep")], ...choices.map((to) => [to, t(`status.${to}`)] as const)]}
      onChange={(to) => setStatus(to as IncidentStatus | "")}
    />
  );
}
