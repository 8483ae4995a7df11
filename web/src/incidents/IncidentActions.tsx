import { useNavigate } from "@tanstack/react-router";
import { Check, CircleCheck, Ellipsis, Merge, Pencil, RotateCcw, Trash2 } from "lucide-react";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { type Incident, titleOf, useDeleteIncident } from "../api/incidents.ts";
import { Button, IconButton } from "../components/Button.tsx";
import { ConfirmDialog } from "../components/ConfirmDialog.tsx";
import { focusPage, keepFocus } from "../components/focus-page.ts";
import { Menu, MenuItem } from "../components/Menu.tsx";
import { type Shortcut, useShortcuts } from "../components/shortcuts.ts";
import { useFocusBack } from "../components/use-focus-back.ts";
import { showToast } from "../toasts.ts";
import { EditDialog } from "./EditDialog.tsx";
import { MergeDialog } from "./MergeDialog.tsx";
import { useActs } from "./use-acts.ts";
import { useResolving } from "./use-resolving.tsx";

const dialogs = { edit: EditDialog, merge: MergeDialog, delete: DeleteDialog };

/** What can be done with it: by one press, or in the menu beside. */
export function IncidentActions({ incident }: { incident: Incident }) {
  const { t } = useTranslation("incidents");
  const acts = useActs();
  const { resolve, question } = useResolving();
  const [asked, setAsked] = useState<keyof typeof dialogs>();
  const Asked = asked && dialogs[asked];
  const { acknowledgedAt, resolvedAt, mergedIntoId } = incident;
  const waits = resolvedAt === null && acknowledgedAt === null;
  const { acknowledge } = acts;
  const shortcuts = useMemo(
    (): Shortcut[] =>
      waits
        ? [{ keys: "a", text: t("action.acknowledge"), group: "page", run: () => acknowledge(incident) }]
        : [],
    [waits, t, acknowledge, incident],
  );
  useShortcuts(shortcuts);
  return (
    <>
      {waits && (
        <Button ref={keepFocus} onClick={() => acts.acknowledge(incident)}>
          <Check aria-hidden className="size-4" />
          {t("action.acknowledge")}
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
      <MoreMenu incident={incident} onAsk={setAsked} onResolve={() => resolve(incident)} />
      {Asked && <Asked incident={incident} onClose={() => setAsked(undefined)} />}
      {question}
    </>
  );
}

interface MoreMenuProps {
  incident: Incident;
  onAsk: (dialog: keyof typeof dialogs) => void;
  onResolve: () => void;
}

function MoreMenu({ incident, onAsk, onResolve }: MoreMenuProps) {
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
          <MenuItem icon={<Pencil aria-hidden />} onSelect={() => onAsk("edit")}>
            {t("action.edit")}
          </MenuItem>
          <MenuItem icon={<Merge aria-hidden />} onSelect={() => onAsk("merge")}>
            {t("action.merge")}
          </MenuItem>
        </>
      )}
      <MenuItem icon={<Trash2 aria-hidden />} danger onSelect={() => onAsk("delete")}>
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
