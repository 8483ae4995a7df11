import { Check } from "lucide-react";
import { useEffect, useMemo, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { BulkOutcome } from "../api/bulk.ts";
import { useAcknowledgeMany } from "../api/incident-list.ts";
import { type Incident, needsAcknowledging } from "../api/incidents.ts";
import { Button } from "../components/Button.tsx";
import { focusPage } from "../components/focus.ts";
import { type Shortcut, useShortcuts } from "../components/shortcuts.ts";
import { BulkBar, useStoppable } from "../list/BulkBar.tsx";
import { focusedRow } from "../list/use-list-keys.ts";
import type { Chosen } from "../list/use-selection.ts";
import { showToast } from "../toasts.ts";
import { useActs } from "./use-acts.ts";

interface AcknowledgeBarProps {
  selection: {
    chosen: Chosen<Incident>;
    clear: () => void;
    keep: (incidents: readonly Incident[]) => void;
  };
  itemAt: (index: number) => Incident | undefined;
}

/** Acknowledges what is chosen in the list; the key `a` does, too, and where nothing is, the row that has the focus. */
export function AcknowledgeBar({ selection, itemAt }: AcknowledgeBarProps) {
  const { t } = useTranslation("incidents");
  const { chosen, clear, keep } = selection;
  const { start, running } = useAcknowledging(keep);
  const { acknowledge } = useActs();
  const acknowledgeChosen = () => {
    // The button that was pressed makes way for the progress.
    if (focusedRow() === null) focusPage();
    void start([...chosen.values()]);
  };
  const press = () => {
    if (running) return;
    if (chosen.size > 0) return acknowledgeChosen();
    const index = focusedRow();
    const incident = index === null ? undefined : itemAt(index);
    if (incident) acknowledge(incident);
  };
  const latest = useRef(press);
  useEffect(() => {
    latest.current = press;
  });
  const shortcuts = useMemo(
    (): Shortcut[] => [{ keys: "a", text: t("bulk.key"), group: "page", run: () => latest.current() }],
    [t],
  );
  useShortcuts(shortcuts);
  return (
    <BulkBar label={t("bulk.label")} count={chosen.size} running={running} onClear={clear}>
      <Button onClick={acknowledgeChosen}>
        <Check aria-hidden className="size-4 max-sm:hidden" />
        {t("action.acknowledge")}
      </Button>
    </BulkBar>
  );
}

/** And says what became of them. `onDone` gets those that the API refused or the reader stopped. */
function useAcknowledging(onDone: (left: readonly Incident[]) => void) {
  const { t } = useTranslation(["incidents", "shared"]);
  const acknowledge = useAcknowledgeMany();
  const { running: progress, begin, stop, end } = useStoppable();
  const start = async (chosen: readonly Incident[]): Promise<void> => {
    const waiting = chosen.filter(needsAcknowledging);
    if (waiting.length === 0) {
      showToast("info", t("bulk.nothing"));
      return onDone([]);
    }
    const outcome = await acknowledge(waiting, begin({}, waiting.length));
    end();
    onDone([...outcome.failed.map(({ item }) => item), ...outcome.left]);
    confirmDone(outcome);
  };
  const confirmDone = ({ done, failed, gone }: BulkOutcome<Incident>): void => {
    const message = failed[0]?.message;
    if (message !== undefined) showToast("error", t("bulk.failed", { count: failed.length, message }));
    const sentences = [
      done.length > 0 && t("bulk.done", { count: done.length }),
      gone.length > 0 && t("bulk.gone", { count: gone.length }),
    ].filter((one) => one !== false);
    if (sentences.length > 0)
      showToast(
        done.length > 0 ? "success" : "info",
        sentences.reduce((what, reason) => t("shared:notification.why", { what, reason })),
      );
  };
  const running = progress && {
    words: t("bulk.running", { through: progress.through, total: progress.total }),
    ...{ through: progress.through, total: progress.total },
    onStop: progress.stoppable ? stop : undefined,
  };
  return { start, running };
}
