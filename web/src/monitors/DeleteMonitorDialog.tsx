import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import type { Monitor } from "../api/monitor-list.ts";
import { useDeleteMonitor } from "../api/monitors.ts";
import { ConfirmDialog } from "../components/ConfirmDialog.tsx";
import { showToast } from "../toasts.ts";
import { useKind } from "./use-kind.ts";

/** Asks, deletes, and says so. `onDone` after either answer; `onDeleted` before it, once it is gone. */
export function DeleteMonitorDialog({
  monitor,
  onDone,
  onDeleted,
}: {
  monitor: Pick<Monitor, "id" | "name">;
  onDone: () => void;
  onDeleted?: () => void;
}) {
  const { t } = useTranslation(["monitors", "shared"]);
  const deletion = useDeleteMonitor(useKind());
  const { id, name } = monitor;
  const confirm = () =>
    deletion.mutate(
      { id },
      {
        onSuccess: () => {
          showToast("success", t("delete.done", { name }));
          onDeleted?.();
          onDone();
        },
      },
    );
  /** The button it was opened with; when that is gone with its row, the page. */
  const focusBehind = useCallback(() => {
    const opener = document.querySelector<HTMLElement>(
      `[data-row-menu="${id}"], [data-monitor-menu="${id}"]`,
    );
    (opener ?? document.getElementById("content"))?.focus();
  }, [id]);
  return (
    <ConfirmDialog
      title={t("delete.title", { name })}
      text={t("delete.text")}
      submitLabel={t("shared:action.delete")}
      busy={deletion.isPending}
      error={deletion.error}
      onConfirm={confirm}
      onCancel={onDone}
      onLeft={focusBehind}
    />
  );
}
