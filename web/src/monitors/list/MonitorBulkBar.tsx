import { useQueryClient } from "@tanstack/react-query";
import { Pause, Play, Trash2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type BulkAnswer, type BulkOutcome, runBulk } from "../../api/bulk.ts";
import { call } from "../../api/client.ts";
import { withoutHold } from "../../api/held-order.ts";
import { listKeys } from "../../api/monitor-keys.ts";
import type { Monitor } from "../../api/monitor-list.ts";
import { Button } from "../../components/Button.tsx";
import { ConfirmDialog } from "../../components/ConfirmDialog.tsx";
import { focusPage } from "../../components/focus.ts";
import { BulkBar, useStoppable } from "../../list/BulkBar.tsx";
import type { Chosen } from "../../list/use-selection.ts";
import { showToast } from "../../toasts.ts";
import { useKind, useKindTexts } from "../descriptor.ts";

interface MonitorBulkBarProps {
  chosen: Chosen<Monitor>;
  onClear: () => void;
  /** Nothing but these stay chosen. */
  onKeep: (monitors: readonly Monitor[]) => void;
}

export function MonitorBulkBar({ chosen, onClear, onKeep }: MonitorBulkBarProps) {
  const { t } = useTranslation(["monitors", "shared"]);
  const k = useKindTexts();
  const [isConfirming, setConfirming] = useState(false);
  const { running, start, stop } = useBulk(onKeep);
  const monitors = [...chosen.values()];
  const count = chosen.size;
  const progressOf = ({ action, through, total, stoppable }: NonNullable<typeof running>) => ({
    words: t(`bulk.running.${action}`, { through, total }),
    ...{ through, total },
    onStop: stoppable ? stop : undefined,
  });
  const run = (action: BulkAction) => {
    // The button that was pressed makes way for the progress.
    focusPage();
    void start(action, monitors);
  };
  return (
    <>
      <BulkBar
        label={k("bulk.label")}
        count={count}
        running={running && progressOf(running)}
        onClear={onClear}
      >
        <Button variant="quiet" onClick={() => run("pause")}>
          <Pause aria-hidden className="size-4 max-sm:hidden" />
          {t("bulk.pause")}
        </Button>
        <Button variant="quiet" onClick={() => run("resume")}>
          <Play aria-hidden className="size-4 max-sm:hidden" />
          {t("bulk.resume")}
        </Button>
        <Button
          variant="quiet"
          onClick={() => setConfirming(true)}
          className="text-down-ink"
          data-bulk-delete
        >
          <Trash2 aria-hidden className="size-4 max-sm:hidden" />
          {t("bulk.delete")}
        </Button>
      </BulkBar>
      {isConfirming && (
        <ConfirmDialog
          title={k("bulk.deleteTitle", { count })}
          text={t("bulk.deleteText")}
          submitLabel={t("shared:action.delete")}
          busy={false}
          onConfirm={() => {
            setConfirming(false);
            void start("delete", monitors);
          }}
          onCancel={() => setConfirming(false)}
          onLeft={focusBehind}
        />
      )}
    </>
  );
}

/** The button that the dialog was opened with; once it has made way for the progress, the page. */
function focusBehind(): void {
  const opener = document.querySelector<HTMLElement>("[data-bulk-delete]");
  if (opener) opener.focus();
  else focusPage();
}

type BulkAction = "pause" | "resume" | "delete";

/** Long enough to see that it was too much. */
const undoMs = 12_000;

/**
 * And reports the results. Undoing touches only what was changed: what had been paused stays paused. `onDone`
 * gets those that the API refused or the reader stopped.
 */
function useBulk(onDone: (unchanged: readonly Monitor[]) => void) {
  const { t } = useTranslation(["monitors", "shared"]);
  const k = useKindTexts();
  const kind = useKind();
  const client = useQueryClient();
  const { running, begin, stop, end } = useStoppable<{ action: BulkAction }>();

  const start = async (action: BulkAction, chosen: readonly Monitor[], undoing = false): Promise<void> => {
    const send = async (ids: number[]) =>
      (await call<BulkAnswer>("POST", `${kind.api}/bulk`, { body: { action, ids } })).data;
    const outcome = await runBulk(chosen, send, begin({ action }, chosen.length));
    const refresh = () => client.invalidateQueries({ queryKey: listKeys.every(kind.id) });
    await (action === "delete" ? withoutHold(refresh) : refresh());
    end();
    const { done, failed, gone, left } = outcome;
    if (done.length + failed.length + gone.length + left.length === 0) {
      if (action !== "delete") showToast("info", t(`bulk.nothing.${action}`));
      return;
    }
    onDone([...failed.map(({ item }) => item), ...left]);
    confirmDone(action, outcome, undoing);
  };

  function confirmDone(
    action: BulkAction,
    { done, failed, gone }: BulkOutcome<Monitor>,
    undoing: boolean,
  ): void {
    const message = failed[0]?.message;
    if (message !== undefined) {
      showToast("error", t("bulk.failed", { count: failed.length, message }));
    }
    const missing = gone.length > 0 ? k("bulk.gone", { count: gone.length }) : "";
    if (done.length === 0) {
      if (missing) showToast("info", missing);
      return;
    }
    const back = action === "pause" ? "resume" : "pause";
    const undo = { label: t("bulk.undo"), run: () => void start(back, done, true) };
    const sentences = [k(`bulk.done.${action}`, { count: done.length }), missing];
    // As they were before they were paused: that ended their outages, and resuming does not bring them back.
    if (undoing && done.some(({ state }) => state === "down")) sentences.push(t("bulk.counted"));
    const text = sentences
      .filter(Boolean)
      .reduce((what, reason) => t("shared:notification.why", { what, reason }));
    showToast("success", text, {
      lastsMs: undoMs,
      ...(action !== "delete" && !undoing && { action: undo }),
    });
  }

  return { running, start, stop };
}
