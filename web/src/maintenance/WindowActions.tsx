import { useNavigate } from "@tanstack/react-router";
import { CalendarOff, CalendarX2, Ellipsis, Pencil, Trash2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { sentencesOf } from "../api/client.ts";
import { type MaintenanceWindow, useWindowAct } from "../api/maintenance.ts";
import { Button, IconButton } from "../components/Button.tsx";
import { ConfirmDialog } from "../components/ConfirmDialog.tsx";
import { focusPage, keepFocus, useFocusBack } from "../components/focus.ts";
import { Menu, MenuItem } from "../components/Menu.tsx";
import { showToast } from "../toasts.ts";
import { useTitleOf } from "./window-words.ts";

/** Ends what is open of a window, or leaves its next time out, and says so. */
function useRun(window: MaintenanceWindow): (act: "end" | "skip") => void {
  const { t } = useTranslation("maintenance");
  const { id } = window;
  const title = useTitleOf()(window);
  const { mutate } = useWindowAct();
  return (act) =>
    mutate(
      { id, act },
      {
        onSuccess: () => showToast("success", t(`done.${act}`, { title })),
        onError: (error) => showToast("error", sentencesOf(error).join(" ")),
      },
    );
}

/** What can be done with a window on its own page: by one press while it is open, the rest in the menu beside. */
export function WindowActions({ window }: { window: MaintenanceWindow }) {
  const { t } = useTranslation("maintenance");
  const run = useRun(window);
  const navigate = useNavigate();
  const [deleting, setDeleting] = useState(false);
  return (
    <>
      {window.openUntil !== null && (
        <Button ref={keepFocus} variant="quiet" onClick={() => run("end")}>
          <CalendarOff aria-hidden className="size-4" />
          {t("action.end")}
        </Button>
      )}
      <WindowMenu window={window} isOnItsPage onDelete={() => setDeleting(true)} />
      {deleting && (
        <DeleteWindowDialog
          window={window}
          onDone={() => setDeleting(false)}
          onDeleted={() => void navigate({ to: "/maintenance" }).then(focusPage)}
        />
      )}
    </>
  );
}

interface WindowMenuProps {
  window: MaintenanceWindow;
  /** Where it is changed, and what ends it has a button of its own. */
  isOnItsPage?: boolean;
  className?: string;
  onDelete: () => void;
}

export function WindowMenu({ window, isOnItsPage = false, className = "", onDelete }: WindowMenuProps) {
  const { t } = useTranslation(["maintenance", "shared"]);
  const run = useRun(window);
  const navigate = useNavigate();
  const { id, openUntil, nextAt } = window;
  const title = useTitleOf()(window);
  const trigger = (
    <IconButton label={t("actionsFor", { title })} data-window={id} className={className}>
      <Ellipsis aria-hidden className="size-4" />
    </IconButton>
  );
  return (
    <Menu trigger={trigger}>
      {openUntil !== null && !isOnItsPage && (
        <MenuItem icon={<CalendarOff aria-hidden />} onSelect={() => run("end")}>
          {t("action.end")}
        </MenuItem>
      )}
      {nextAt !== null && (
        <MenuItem icon={<CalendarX2 aria-hidden />} onSelect={() => run("skip")}>
          {t("action.skip")}
        </MenuItem>
      )}
      {!isOnItsPage && (
        <MenuItem
          icon={<Pencil aria-hidden />}
          onSelect={() =>
            void navigate({ to: "/maintenance/$id", params: { id: String(id) } }).then(focusPage)
          }
        >
          {t("action.edit")}
        </MenuItem>
      )}
      <MenuItem icon={<Trash2 aria-hidden />} danger onSelect={onDelete}>
        {t("shared:action.delete")}
      </MenuItem>
    </Menu>
  );
}

interface DeleteWindowDialogProps {
  window: MaintenanceWindow;
  onDone: () => void;
  /** Called when it is gone, after `onDone`. */
  onDeleted?: () => void;
}

export function DeleteWindowDialog({ window, onDone, onDeleted }: DeleteWindowDialogProps) {
  const { t } = useTranslation(["maintenance", "shared"]);
  const deletion = useWindowAct();
  const { id } = window;
  const title = useTitleOf()(window);
  const confirmDone = () => {
    showToast("success", t("done.delete", { title }));
    onDone();
    onDeleted?.();
  };
  return (
    <ConfirmDialog
      title={t("delete.title", { title })}
      text={t("delete.text")}
      submitLabel={t("shared:action.delete")}
      busy={deletion.isPending}
      error={deletion.error}
      onConfirm={() => deletion.mutate({ id, act: "delete" }, { onSuccess: confirmDone })}
      onCancel={onDone}
      onLeft={useFocusBack(focusPage)}
    />
  );
}
