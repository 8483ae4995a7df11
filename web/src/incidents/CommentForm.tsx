import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useIncidentAct } from "../api/incidents.ts";
import { useFormErrors } from "../components/use-form-errors.ts";
import { Tick } from "../forms/Tick.tsx";
import { ComposeForm } from "./ComposeForm.tsx";
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
  const submit = () =>
    act.mutate({ act: "comment", id: incident.id, content: text, isInternal }, { onSuccess: onPosted });
  return (
    <ComposeForm
      {...{ form, failure, text, onText }}
      box={{
        name: "content",
        label: t("compose.comment"),
        hint: t("compose.commentText"),
        errors: fields["content"],
        placeholder: t("compose.commentPlaceholder"),
      }}
      submitLabel={t("compose.add")}
      busy={act.isPending}
      onSubmit={submit}
      beside={
        <div className="text-sm">
          <Tick type="checkbox" checked={isInternal} onChange={setInternal}>
            {t("compose.internal")}
          </Tick>
        </div>
      }
    />
  );
}
