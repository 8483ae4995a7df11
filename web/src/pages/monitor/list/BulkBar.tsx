import { Pause, Play, Trash2, X } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Monitor } from "../../../api/monitor-list.ts";
import { Button, IconButton } from "../../../components/Button.tsx";
import { ConfirmDialog } from "../../../components/ConfirmDialog.tsx";
import { focusPage } from "../../../components/focus-page.ts";
import { useKindTexts } from "../../../kinds/use-kind.ts";
import type { Chosen } from "../../../list/use-selection.ts";
import { type BulkAction, type Running, useBulk } from "./use-bulk.ts";

interface BulkBarProps {
  chosen: Chosen<Monitor>;
  onClear: () => void;
  /** Nothing but these stay chosen. */
  onKeep: (monitors: readonly Monitor[]) => void;
}

/** What can be done with the chosen monitors; while it is done, how far it is. At the bottom, above the list. */
export function BulkBar({ chosen, onClear, onKeep }: BulkBarProps) {
  const { t } = useTranslation(["monitor", "shared"]);
  const k = useKindTexts();
  const [asking, setAsking] = useState(false);
  const { running, start, stop } = useBulk(onKeep);
  const monitors = [...chosen.values()];
  const count = chosen.size;
  const run = (action: BulkAction) => {
    // The button that was pressed makes way for the progress.
    focusPage();
    void start(action, monitors);
  };
  if (count === 0 && !running) return null;
  return (
    <section
      aria-label={k("bulk.label")}
      data-bar
      className="arriving fixed inset-x-4 bottom-[calc(1rem+var(--bottom-bar))] z-30 mx-auto grid grid-cols-[1fr_auto] items-center gap-x-3 gap-y-2 rounded-lg border border-line bg-raised p-2 shadow-float sm:flex sm:w-fit sm:pl-4"
    >
      {running ? (
        <Progress running={running} onStop={stop} />
      ) : (
        <>
          <span role="status" className="font-medium whitespace-nowrap tabular-nums max-sm:pl-2">
            {t("select.count", { count })}
          </span>
          <div className="flex gap-2 max-sm:order-last max-sm:col-span-2 max-sm:*:flex-1">
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
              onClick={() => setAsking(true)}
              className="text-down-ink"
              data-bulk-delete
            >
              <Trash2 aria-hidden className="size-4 max-sm:hidden" />
              {t("bulk.delete")}
            </Button>
          </div>
          <IconButton label={t("select.clear")} onClick={onClear}>
            <X aria-hidden className="size-4" />
          </IconButton>
        </>
      )}
      {asking && (
        <ConfirmDialog
          title={k("bulk.deleteTitle", { count })}
          text={t("bulk.deleteText")}
          submitLabel={t("shared:action.delete")}
          busy={false}
          onConfirm={() => {
            setAsking(false);
            void start("delete", monitors);
          }}
          onCancel={() => setAsking(false)}
          onLeft={focusBehind}
        />
      )}
    </section>
  );
}

/** The button that the dialog was opened with; once it has made way for the progress, the page. */
function focusBehind(): void {
  const opener = document.querySelector<HTMLElement>("[data-bulk-delete]");
  if (opener) opener.focus();
  else focusPage();
}

function Progress({ running, onStop }: { running: Running; onStop: () => void }) {
  const { t } = useTranslation("monitor");
  const { action, through, total, stoppable } = running;
  const words = t(`bulk.running.${action}`, { through, total });
  return (
    <>
      <span className="whitespace-nowrap tabular-nums max-sm:pl-2">{words}</span>
      <span
        role="progressbar"
        aria-label={words}
        aria-valuemin={0}
        aria-valuemax={total}
        aria-valuenow={through}
        className="h-1.5 overflow-clip rounded-full bg-line max-sm:order-last max-sm:col-span-2 sm:w-28"
      >
        <span
          className="block h-full rounded-full bg-action transition-[width]"
          style={{ width: `${(100 * through) / total}%` }}
        />
      </span>
      {stoppable && (
        <Button variant="quiet" onClick={onStop}>
          {t("bulk.stop")}
        </Button>
      )}
    </>
  );
}
