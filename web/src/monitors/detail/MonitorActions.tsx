import { useNavigate } from "@tanstack/react-router";
import { type ReactNode, useCallback, useState } from "react";
import { useTranslation } from "react-i18next";
import { useIsChecking } from "../../api/check-now.ts";
import type { Monitor } from "../../api/monitor-list.ts";
import { useDeleteMonitor } from "../../api/monitors.ts";
import { Button, ButtonLink } from "../../components/Button.tsx";
import { ConfirmDialog } from "../../components/ConfirmDialog.tsx";
import { showToast } from "../../toasts.ts";
import { useKind } from "../descriptor.ts";
import { type MonitorActId, useMonitorActs } from "../monitor-acts.ts";

const pageActs: readonly MonitorActId[] = ["check", "mute", "unmute", "toggle", "edit", "delete"];

export function MonitorActions({ monitor }: { monitor: Monitor }) {
  const navigate = useNavigate();
  const kind = useKind();
  const [deleting, setDeleting] = useState<Monitor | null>(null);
  return (
    <>
      <ActButtons monitor={monitor} onDelete={setDeleting} />
      {deleting && (
        <DeleteMonitorDialog
          monitor={monitor}
          onDone={() => setDeleting(null)}
          onDeleted={() => void navigate({ to: kind.pages.list })}
        />
      )}
    </>
  );
}

interface ActButtonsProps {
  monitor: Monitor;
  /** Needs a confirmation. */
  onDelete?: (monitor: Monitor) => void;
  /** What the kind alone offers, after the others. */
  children?: ReactNode;
}

/** What all monitors offer, as far as it makes sense now. */
export function ActButtons({ monitor, onDelete, children }: ActButtonsProps) {
  const { t } = useTranslation("monitors");
  const kind = useKind();
  const { id } = monitor;
  const checking = useIsChecking(kind, id);
  const acts = useMonitorActs(kind, onDelete ? { onDelete } : {})(monitor);
  return (
    // A phone's bar has room for the icons alone: of buttons, not of the dialog.
    <div className="flex gap-2 max-sm:gap-1 max-sm:[&_svg]:mx-0 max-sm:[&>*]:w-9 max-sm:[&>*]:px-0">
      {pageActs.map((one) => {
        const act = acts[one];
        if (!act?.offered) return null;
        const { word, icon: Icon, href, run } = act;
        const content = (
          <>
            <Icon aria-hidden className="-ml-0.5 size-4 text-ink-faint" />
            <span className="max-sm:sr-only">{t(`action.${word as "check"}`)}</span>
          </>
        );
        if (href !== undefined) {
          return (
            <ButtonLink key={one} to={kind.pages.edit} params={{ id: String(id) }}>
              {content}
            </ButtonLink>
          );
        }
        return (
          <Button
            key={one}
            variant="quiet"
            busy={one === "check" && checking}
            data-monitor-menu={one === "delete" ? id : undefined}
            onClick={run}
          >
            {content}
          </Button>
        );
      })}
      {children}
    </div>
  );
}

/** Confirms, deletes, and shows a toast. `onDone` after either answer; `onDeleted` before it, once it is gone. */
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
