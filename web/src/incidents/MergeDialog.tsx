import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { incidentPageQuery } from "../api/incident-list.ts";
import { type Incident, titleOf, useIncidentAct } from "../api/incidents.ts";
import { Button } from "../components/Button.tsx";
import { Dialog, DialogButtons } from "../components/Dialog.tsx";
import { FailureNotice } from "../components/FailureNotice.tsx";
import { failureOf } from "../components/failure.ts";
import { focusPage } from "../components/focus-page.ts";
import { Loaded } from "../components/Loaded.tsx";
import { Skeleton } from "../components/Skeleton.tsx";
import { useFocusBack } from "../components/use-focus-back.ts";
import { useNow } from "../components/use-now.ts";
import { Select } from "../forms/Select.tsx";
import { formatMoment } from "../i18n/format.ts";
import { showToast } from "../toasts.ts";

/** Gives all of an incident to another one that is open, and leads there. */
export function MergeDialog({ incident, onClose }: { incident: Incident; onClose: () => void }) {
  const { t } = useTranslation("incidents");
  const focusBack = useFocusBack();
  const query = useQuery(incidentPageQuery({ filter: "active", search: "", sort: "-startedAt" }, 0));
  return (
    <Dialog
      title={t("merge.title", { title: titleOf(incident) })}
      text={t("merge.text")}
      onLeft={focusBack}
      onClose={onClose}
    >
      <div className="mt-4">
        <Loaded of={query} failed={t("failed")} loading={<Skeleton className="h-10 w-full" />}>
          {({ incidents }) => {
            const others = incidents.filter(({ id }) => id !== incident.id);
            return <MergeForm incident={incident} others={others} onClose={onClose} />;
          }}
        </Loaded>
      </div>
    </Dialog>
  );
}

interface MergeFormProps {
  incident: Incident;
  others: readonly Incident[];
  onClose: () => void;
}

function MergeForm({ incident, others, onClose }: MergeFormProps) {
  const { t, i18n } = useTranslation("incidents");
  const act = useIncidentAct();
  const navigate = useNavigate();
  const now = useNow();
  const [into, setInto] = useState("");
  const target = others.find(({ id }) => String(id) === into);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!target) return;
    const onSuccess = () => {
      showToast("success", t("done.merged", { title: titleOf(incident), into: titleOf(target) }));
      void navigate({ to: "/incidents/$id", params: { id: String(target.id) } }).then(focusPage);
    };
    act.mutate({ act: "merge", id: incident.id, into: target.id }, { onSuccess });
  };
  return (
    <form onSubmit={submit} className="grid grid-cols-1 gap-5">
      {act.error && <FailureNotice of={failureOf(act.error)} />}
      {others.length > 0 ? (
        <Select
          aria-label={t("merge.into")}
          className="max-w-none"
          value={into}
          options={[
            // It cannot be undone, so nothing is chosen in advance.
            ["", t("merge.choose")],
            ...others.map(
              (one) =>
                [
                  String(one.id),
                  `${titleOf(one)} · ${formatMoment(one.startedAt, now, i18n.language)}`,
                ] as const,
            ),
          ]}
          onChange={setInto}
        />
      ) : (
        <p className="text-ink-muted">{t("merge.none")}</p>
      )}
      <DialogButtons onCancel={onClose}>
        <Button type="submit" busy={act.isPending} disabled={!target}>
          {t("merge.submit")}
        </Button>
      </DialogButtons>
    </form>
  );
}
