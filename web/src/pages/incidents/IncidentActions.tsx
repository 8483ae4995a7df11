import { useNavigate } from "@tanstack/react-router";
import { Check, CircleCheck, RotateCcw, Trash2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type Incident, titleOf, useDeleteIncident } from "../../api/incidents.ts";
import { Button, IconButton } from "../../components/Button.tsx";
import { ConfirmDialog } from "../../components/ConfirmDialog.tsx";
import { focusPage } from "../../components/focus-page.ts";
import { showToast } from "../../components/toasts.ts";
import { useFocusBack } from "../../components/use-focus-back.ts";
import { useActs } from "./use-acts.ts";

/** What can be done with it by one press. */
export function IncidentActions({ incident }: { incident: Incident }) {
  const { t } = useTranslation("incidents");
  const acts = useActs();
  const [isDeleting, setDeleting] = useState(false);
  const { acknowledgedAt, resolvedAt, mergedIntoId } = incident;
  return (
    <>
      {resolvedAt === null && acknowledgedAt === null && (
        <Button onClick={() => acts.acknowledge(incident)}>
          <Check aria-hidden className="size-4" />
          {t("action.acknowledge")}
        </Button>
      )}
      {resolvedAt === null && (
        <Button variant="quiet" className="max-sm:hidden" onClick={() => acts.resolve(incident)}>
          <CircleCheck aria-hidden className="size-4" />
          {t("action.resolve")}
        </Button>
      )}
      {resolvedAt !== null && mergedIntoId === null && (
        <Button variant="quiet" onClick={() => acts.reopen(incident)}>
          <RotateCcw aria-hidden className="size-4" />
          {t("action.reopen")}
        </Button>
      )}
      <IconButton label={t("action.delete")} onClick={() => setDeleting(true)}>
        <Trash2 aria-hidden className="size-4" />
      </IconButton>
      {isDeleting && <DeleteDialog incident={incident} onDone={() => setDeleting(false)} />}
    </>
  );
}

function DeleteDialog({ incident, onDone }: { incident: Incident; onDone: () => void }) {
  const { t } = useTranslation("incidents");
  const navigate = useNavigate();
  const focusBack = useFocusBack();
  const deletion = useDeleteIncident();
  const title = titleOf(incident);
  const confirm = () =>
    deletion.mutate(incident, {
      onSuccess: () => {
        showToast("success", t("done.deleted", { title }));
        onDone();
        void navigate({ to: "/incidents" }).then(focusPage);
      },
    });
  return (
    <ConfirmDialog
      title={t("delete.title", { title })}
      text={t("delete.text")}
      submitLabel={t("action.delete")}
      busy={deletion.isPending}
      error={deletion.error}
      onLeft={focusBack}
      onConfirm={confirm}
      onCancel={onDone}
    />
  );
}
