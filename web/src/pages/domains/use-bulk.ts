import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { type BulkOutcome, runBulk } from "../../api/bulk.ts";
import { call } from "../../api/client.ts";
import { listKeys } from "../../api/domain-list.ts";
import type { Domain } from "../../api/domains.ts";
import { showToast } from "../../components/toasts.ts";
import { apiPaths } from "../../paths.ts";

export type BulkAction = "pause" | "resume" | "delete";

/** How far it is: `through` of `total` domains. */
export interface Running {
  action: BulkAction;
  through: number;
  total: number;
}

/** Long enough to see that it was too much. */
const undoMs = 12_000;

const change = (action: BulkAction, { id }: Domain) =>
  action === "delete"
    ? call("DELETE", apiPaths.domain(id))
    : call("PUT", apiPaths.domain(id), { body: { enabled: action === "resume" } });

/**
 * Pauses, resumes or deletes many domains, and says at the end what became of them. Undoing touches only
 * what was really changed: what had been paused before stays paused. `onDone` gets those that it did not
 * change, because the API refused or the reader stopped it.
 */
export function useBulk(onDone: (unchanged: readonly Domain[]) => void) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [running, setRunning] = useState<Running | null>(null);
  const stopper = useRef(new AbortController());

  const start = async (action: BulkAction, chosen: readonly Domain[], undoing = false): Promise<void> => {
    const domains = chosen.filter(
      ({ enabled }) => undoing || action === "delete" || enabled === (action === "pause"),
    );
    if (domains.length === 0) {
      if (action !== "delete") showToast("info", t(`domains.bulk.nothing.${action}`));
      return;
    }
    stopper.current = new AbortController();
    const show = (through: number) => setRunning({ action, through, total: domains.length });
    show(0);
    const work = (domain: Domain) => change(action, domain);
    const outcome = await runBulk(domains, work, { signal: stopper.current.signal, onProgress: show });
    await client.invalidateQueries({ queryKey: listKeys.every });
    setRunning(null);
    const changed = new Set(outcome.done);
    onDone(domains.filter((domain) => !changed.has(domain)));
    tell(action, outcome, undoing);
  };

  function tell(action: BulkAction, { done, failed }: BulkOutcome<Domain>, undoing: boolean): void {
    const message = failed[0]?.message;
    if (message !== undefined) {
      showToast("error", t("domains.bulk.failed", { count: failed.length, message }));
    }
    if (done.length === 0) return;
    const back = action === "pause" ? "resume" : "pause";
    const undo = { label: t("domains.bulk.undo"), run: () => void start(back, done, true) };
    const text = t(`domains.bulk.done.${action}`, { count: done.length });
    showToast("success", text, {
      lastsMs: undoMs,
      ...(action !== "delete" && !undoing && { action: undo }),
    });
  }

  return { running, start, stop: () => stopper.current.abort() };
}
