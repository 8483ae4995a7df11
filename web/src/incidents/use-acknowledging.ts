import { useTranslation } from "react-i18next";
import type { BulkOutcome } from "../api/bulk.ts";
import { useAcknowledgeMany } from "../api/incident-list.ts";
import { type Incident } from "../api/incidents.ts";
import { useStoppable } from "../list/use-stoppable.ts";
import { showToast } from "../toasts.ts";

const waits = ({ acknowledgedAt, resolvedAt, mergedIntoId }: Incident): boolean =>
  acknowledgedAt === null && resolvedAt === null && mergedIntoId === null;

/**
 * Acknowledges many incidents, and says at the end what became of them. `onDone` gets those that are still to be
 * acknowledged, because the API refused or the reader stopped it.
 */
export function useAcknowledging(onDone: (left: readonly Incident[]) => void) {
  const { t } = useTranslation(["incidents", "shared"]);
  const acknowledge = useAcknowledgeMany();
  const { running: progress, begin, stop, end } = useStoppable();
  const start = async (chosen: readonly Incident[]): Promise<void> => {
    const waiting = chosen.filter(waits);
    if (waiting.length === 0) {
      showToast("info", t("bulk.nothing"));
      return onDone([]);
    }
    const outcome = await acknowledge(waiting, begin({}, waiting.length));
    end();
    onDone([...outcome.failed.map(({ item }) => item), ...outcome.left]);
    tell(outcome);
  };
  const tell = ({ done, failed, gone }: BulkOutcome<Incident>): void => {
    const message = failed[0]?.message;
    if (message !== undefined) showToast("error", t("bulk.failed", { count: failed.length, message }));
    const sentences = [
      done.length > 0 && t("bulk.done", { count: done.length }),
      gone.length > 0 && t("bulk.gone", { count: gone.length }),
    ].filter((one) => one !== false);
    if (sentences.length > 0)
      showToast(
        done.length > 0 ? "success" : "info",
        sentences.reduce((what, reason) => t("shared:notice.why", { what, reason })),
      );
  };
  const running = progress && {
    words: t("bulk.running", { through: progress.through, total: progress.total }),
    ...{ through: progress.through, total: progress.total },
    onStop: progress.stoppable ? stop : undefined,
  };
  return { start, running };
}
