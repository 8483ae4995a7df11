import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { useIncidentAct } from "../../api/incidents.ts";
import { Button } from "../../components/Button.tsx";
import { FailureNotice } from "../../components/FailureNotice.tsx";
import { TextArea } from "../../components/TextArea.tsx";
import { useFormErrors } from "../../components/use-form-errors.ts";
import { Tick } from "../../forms/Tick.tsx";
import type { ComposeProps } from "./use-update.ts";

interface CommentFormProps extends ComposeProps {
  onPosted: () => void;
}

/** Says something to colleagues. */
export function CommentForm({ incident, text, onText, onPosted }: CommentFormProps) {
  const { t } = useTranslation("incidents");
  const act = useIncidentAct();
  const [isInternal, setInternal] = useState(true);
  const { form, fields, failure } = useFormErrors(act.error, ["content"]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    act.mutate({ act: "comment", id: incident.id, content: text, isInternal }, { onSuccess: onPosted });
  };
  return (
    <form ref={form} onSubmit={submit} noValidate className="grid gap-3">
      <FailureNotice of={failure} />
      <TextArea
        name="content"
        label={t("compose.comment")}
        hideLabel
        hint={t("compose.commentText")}
        errors={fields["content"]}
        placeholder={t("compose.commentPlaceholder")}
        rows={3}
        maxLength={10_000}
        value={text}
        onChange={({ target }) => onText(target.value)}
      />
      <div className="flex flex-wrap items-center justify-between gap-3 text-sm">
        <Tick type="checkbox" checked={isInternal} onChange={setInternal}>
          {t("compose.internal")}
        </Tick>
        <Button type="submit" busy={act.isPending} disabled={text.trim() === ""} className="ml-auto">
          {t("compose.add")}
        </Button>
      </div>
    </form>
  );
}
