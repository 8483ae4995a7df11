import { Pause, Play, Trash2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Monitor } from "../../api/monitor-list.ts";
import { Button } from "../../components/Button.tsx";
import { ConfirmDialog } from "../../components/ConfirmDialog.tsx";
import { focusPage } from "../../components/focus-page.ts";
import { BulkBar } from "../../list/BulkBar.tsx";
import type { Chosen } from "../../list/use-selection.ts";
import { useKindTexts } from "../use-kind.ts";
import { type BulkAction, useBulk } from "./use-bulk.ts";

interface MonitorBulkBarProps {
  chosen: Chosen<Monitor>;
  onClear: () => void;
  /** Nothing but these stay chosen. */
  onKeep: (monitors: readonly Monitor[]) => void;
}

/** What can be done with the chosen monitors. */
export function MonitorBulkBar({ chosen, onClear, onKeep }: MonitorBulkBarProps) {
  const { t } = useTranslation(["monitors", "shared"]);
  const k = useKindTexts();
  const [asking, setAsking] = useState(false);
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
        <Button variant="quiet" onClick={() => setAsking(true)} className="text-down-ink" data-bulk-delete>
          <Trash2 aria-hidden className="size-4 max-sm:hidden" />
          {t("bulk.delete")}
        </Button>
      </BulkBar>
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
    </>
  );
}

/** The button that the dialog was opened with; once it has made way for the progress, the page. */
function focusBehind(): void {
  const opener = document.querySelector<HTMLElement>("[data-bulk-delete]");
  if (opener) opener.focus();
  else focusPage();
}
