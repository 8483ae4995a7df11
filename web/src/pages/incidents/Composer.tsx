import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { type Incident, type IncidentStatus, stillDown, useIncidentAct } from "../../api/incidents.ts";
import { Button } from "../../components/Button.tsx";
import { Card } from "../../components/Card.tsx";
import { Checkbox } from "../../components/Checkbox.tsx";
import { FailureNotice } from "../../components/FailureNotice.tsx";
import { TextArea } from "../../components/TextArea.tsx";
import { useFormErrors } from "../../components/use-form-errors.ts";
import { Select } from "../../forms/Select.tsx";
import { ResolveDialog } from "./ResolveDialog.tsx";

const kinds = ["update", "comment"] as const;
type Kind = (typeof kinds)[number];

/** Where people may move it on to (server/src/incident/status-rules.ts); what is resolved is reopened. */
const next: readonly IncidentStatus[] = ["investigating", "identified", "monitoring", "resolved"];

/** Says something: to everybody, with a new state where there is one, or to colleagues. */
export function Composer({ incident }: { incident: Incident }) {
  const { t } = useTranslation("incidents");
  const act = useIncidentAct();
  const [kind, setKind] = useState<Kind>("update");
  const [text, setText] = useState("");
  const [status, setStatus] = useState<IncidentStatus | "">("");
  const [isInternal, setInternal] = useState(true);
  const [isAsking, setAsking] = useState(false);
  const { form, fields, failure } = useFormErrors(act.error, ["message", "content", "status"]);
  const choices = incident.resolvedAt === null ? next.filter((one) => one !== incident.status) : [];
  const errors = kind === "update" ? [...(fields.message ?? []), ...(fields.status ?? [])] : fields.content;
  const moved = choices.find((one) => one === status);
  const send = () => {
    const about = { id: incident.id };
    act.mutate(
      kind === "update"
        ? { act: "update", ...about, message: text, ...(moved && { status: moved }) }
        : { act: "comment", ...about, content: text, isInternal },
      {
        onSuccess: () => {
          setText("");
          setStatus("");
        },
      },
    );
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (kind === "update" && moved === "resolved" && stillDown(incident).length > 0) setAsking(true);
    else send();
  };
  return (
    <Card>
      <form ref={form} onSubmit={submit} noValidate className="grid gap-3 p-4">
        <div role="group" aria-label={t("compose.label")} className="-mx-1 -mt-1 flex gap-0.5">
          {kinds.map((one) => (
            <button
              key={one}
              type="button"
              aria-pressed={one === kind}
              onClick={() => setKind(one)}
              className="h-8 rounded-md px-2.5 text-sm text-ink-muted transition-colors hover:bg-hover hover:text-ink aria-pressed:bg-hover aria-pressed:font-medium aria-pressed:text-ink"
            >
              {t(`compose.${one}`)}
            </button>
          ))}
        </div>
        <FailureNotice of={failure} />
        <TextArea
          name={kind === "update" ? "message" : "content"}
          label={t(`compose.${kind}`)}
          hideLabel
          hint={t(`compose.${kind}Text`)}
          errors={errors}
          placeholder={t(`compose.${kind}Placeholder`)}
          rows={3}
          maxLength={10_000}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <div className="flex flex-wrap items-center justify-between gap-3">
          {kind === "comment" && (
            <label className="flex items-center gap-2 text-sm">
              <Checkbox
                label={t("compose.internal")}
                checked={isInternal}
                onChange={(on) => setInternal(on)}
              />
              <span aria-hidden>{t("compose.internal")}</span>
            </label>
          )}
          {kind === "update" && choices.length > 0 && (
            <Select
              aria-label={t("compose.status")}
              className="sm:max-w-52"
              value={status}
              options={[["", t("compose.keep")], ...choices.map((to) => [to, t(`status.${to}`)] as const)]}
              onChange={(to) => setStatus(to as IncidentStatus | "")}
            />
          )}
          <Button type="submit" busy={act.isPending} disabled={text.trim() === ""} className="ml-auto">
            {t(kind === "update" ? "compose.post" : "compose.add")}
          </Button>
        </div>
      </form>
      {isAsking && (
        <ResolveDialog
          incident={incident}
          onConfirm={() => {
            setAsking(false);
            send();
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </Card>
  );
}
