import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Check, CircleCheck, Ellipsis, Merge, Pencil, RotateCcw, Trash2 } from "lucide-react";
import { type FormEvent, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { incidentPageQuery } from "../api/incident-list.ts";
import {
  type Incident,
  needsAcknowledging,
  titleOf,
  useDeleteIncident,
  useIncidentAct,
} from "../api/incidents.ts";
import { Button, IconButton } from "../components/Button.tsx";
import { FailureCallout, failureOf } from "../components/Callout.tsx";
import { ConfirmDialog } from "../components/ConfirmDialog.tsx";
import { Dialog, DialogButtons } from "../components/Dialog.tsx";
import { focusPage, keepFocus, useFocusBack } from "../components/focus.ts";
import { Loaded, Skeleton } from "../components/Loaded.tsx";
import { Menu, MenuItem } from "../components/Menu.tsx";
import { type Shortcut, useShortcuts } from "../components/shortcuts.ts";
import { useFormErrors } from "../components/use-form-errors.ts";
import { useNow } from "../components/use-now.ts";
import { Select } from "../forms/Select.tsx";
import { formatMoment } from "../i18n/format.ts";
import { translateMessage } from "../i18n/i18n.ts";
import { showToast } from "../toasts.ts";
import { IncidentFields, incidentFields, readIncident } from "./IncidentFields.tsx";
import { useResolving } from "./ResolveDialog.tsx";
import { acknowledgeKey, useActs } from "./use-acts.ts";

const dialogs = { edit: EditDialog, merge: MergeDialog, delete: DeleteDialog };

/** What can be done with it: by one press, or in the menu beside. */
export function IncidentActions({ incident }: { incident: Incident }) {
  const { t } = useTranslation("incidents");
  const acts = useActs();
  const { resolve, confirmation } = useResolving();
  const [openDialog, setOpenDialog] = useState<keyof typeof dialogs>();
  const OpenDialog = openDialog && dialogs[openDialog];
  const { resolvedAt, mergedIntoId } = incident;
  const waits = needsAcknowledging(incident);
  const acknowledgeWords = t(acknowledgeKey(incident));
  const { acknowledge } = acts;
  const shortcuts = useMemo(
    (): Shortcut[] =>
      waits ? [{ keys: "a", text: acknowledgeWords, group: "page", run: () => acknowledge(incident) }] : [],
    [waits, acknowledgeWords, acknowledge, incident],
  );
  useShortcuts(shortcuts);
  return (
    <>
      {waits && (
        <Button ref={keepFocus} onClick={() => acts.acknowledge(incident)}>
          <Check aria-hidden className="size-4" />
          {acknowledgeWords}
        </Button>
      )}
      {resolvedAt === null && (
        <Button variant="quiet" className="max-sm:hidden" onClick={() => resolve(incident)}>
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
      <MoreMenu incident={incident} onOpen={setOpenDialog} onResolve={() => resolve(incident)} />
      {OpenDialog && <OpenDialog incident={incident} onClose={() => setOpenDialog(undefined)} />}
      {confirmation}
    </>
  );
}

interface MoreMenuProps {
  incident: Incident;
  onOpen: (dialog: keyof typeof dialogs) => void;
  onResolve: () => void;
}

function MoreMenu({ incident, onOpen, onResolve }: MoreMenuProps) {
  const { t } = useTranslation("incidents");
  const { resolvedAt, mergedIntoId } = incident;
  const trigger = (
    <IconButton label={t("action.more")}>
      <Ellipsis aria-hidden className="size-4" />
    </IconButton>
  );
  return (
    <Menu trigger={trigger}>
      {resolvedAt === null && (
        <div className="sm:hidden">
          <MenuItem icon={<CircleCheck aria-hidden />} onSelect={onResolve}>
            {t("action.resolve")}
          </MenuItem>
        </div>
      )}
      {mergedIntoId === null && (
        <>
          <MenuItem icon={<Pencil aria-hidden />} onSelect={() => onOpen("edit")}>
            {t("action.edit")}
          </MenuItem>
          <MenuItem icon={<Merge aria-hidden />} onSelect={() => onOpen("merge")}>
            {t("action.merge")}
          </MenuItem>
        </>
      )}
      <MenuItem icon={<Trash2 aria-hidden />} danger onSelect={() => onOpen("delete")}>
        {t("action.delete")}
      </MenuItem>
    </Menu>
  );
}

function DeleteDialog({ incident, onClose }: { incident: Incident; onClose: () => void }) {
  const { t } = useTranslation("incidents");
  const navigate = useNavigate();
  const focusBack = useFocusBack();
  const deletion = useDeleteIncident();
  const title = titleOf(incident);
  const confirm = () =>
    deletion.mutate(incident, {
      onSuccess: () => {
        showToast("success", t("done.deleted", { title }));
        onClose();
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
      onCancel={onClose}
    />
  );
}

/** The monitors that people have named; what is down in it by itself stays in it. */
const namedByPeople = ({ affected }: Incident) =>
  affected.flatMap(({ monitorId: id, monitorUuid: uuid, outageStartedAt }) =>
    id === null || uuid === null || outageStartedAt !== null ? [] : { id, uuid },
  );

/** Changes what an incident is called, what is known of it, what it affects and how bad it is. */
function EditDialog({ incident, onClose }: { incident: Incident; onClose: () => void }) {
  const { t } = useTranslation("incidents");
  const act = useIncidentAct();
  const focusBack = useFocusBack();
  const { form, fields, failure } = useFormErrors(act.error, incidentFields);
  const { id, automatic, severity, description, fact } = incident;
  const shown = {
    ...{ id, automatic },
    title: titleOf(incident),
    description: translateMessage(description, fact) ?? "",
    severity,
    monitors: namedByPeople(incident),
    impact: automatic ? undefined : incident.impact,
  };
  const shownIds = shown.monitors.map((one) => one.id);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = readIncident(event.currentTarget);
    // An unchanged text stays a message code, which is translated for each reader.
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
        <FailureCallout of={failure} />
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

/** Gives all of an incident to another one that is open, and leads there. */
function MergeDialog({ incident, onClose }: { incident: Incident; onClose: () => void }) {
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
      {act.error && <FailureCallout of={failureOf(act.error)} />}
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
