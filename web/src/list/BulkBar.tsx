import { X } from "lucide-react";
import { type ReactNode, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Progress } from "../api/bulk.ts";
import { Button, IconButton } from "../components/Button.tsx";
import { focusPage } from "../components/focus.ts";

interface BulkBarProps {
  label: string;
  count: number;
  /** How far what was begun is; null: nothing is under way. `onStop`: undefined where there is nothing to stop. */
  running: { words: string; through: number; total: number; onStop: (() => void) | undefined } | null;
  onClear: () => void;
  children: ReactNode;
}

/** What can be done with the chosen rows of a list; while it is done, how far it is. At the bottom, above the list. */
export function BulkBar({ label, count, running, onClear, children }: BulkBarProps) {
  const { t } = useTranslation("list");
  if (count === 0 && !running) return null;
  return (
    <section
      aria-label={label}
      data-bar
      className="arriving fixed inset-x-4 bottom-[calc(1rem+var(--bottom-bar))] z-30 mx-auto grid grid-cols-[1fr_auto] items-center gap-x-3 gap-y-2 rounded-lg border border-line bg-raised p-2 shadow-float sm:flex sm:w-fit sm:pl-4"
    >
      {running ? (
        <RunningProgress of={running} />
      ) : (
        <>
          <span role="status" className="font-medium whitespace-nowrap tabular-nums max-sm:pl-2">
            {t("select.count", { count })}
          </span>
          <div className="flex gap-2 max-sm:order-last max-sm:col-span-2 max-sm:*:flex-1">{children}</div>
          <IconButton label={t("select.clear")} onClick={onClear}>
            <X aria-hidden className="size-4" />
          </IconButton>
        </>
      )}
    </section>
  );
}

function RunningProgress({
  of: { words, through, total, onStop },
}: {
  of: NonNullable<BulkBarProps["running"]>;
}) {
  const { t } = useTranslation("list");
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
      {onStop && (
        <Button variant="quiet" onClick={onStop}>
          {t("bulk.stop")}
        </Button>
      )}
    </>
  );
}

/** How far a change of many is: `through` of `total`. */
interface Going extends Progress {
  total: number;
}

/** A change of many that takes a while: how far it is, and a way to stop it. `What`: which change it is. */
export function useStoppable<What extends object>() {
  const [running, setRunning] = useState<(What & Going) | null>(null);
  const stopper = useRef(new AbortController());
  /** For runBulk (api/bulk.ts). */
  const begin = (what: What, total: number) => {
    stopper.current = new AbortController();
    const { signal } = stopper.current;
    const onProgress = ({ through, stoppable }: Progress) =>
      setRunning({ ...what, through, stoppable: stoppable && !signal.aborted, total });
    return { signal, onProgress };
  };
  /** What is on its way cannot be called back: from then on there is nothing to stop. */
  const stop = () => {
    stopper.current.abort();
    setRunning((now) => now && { ...now, stoppable: false });
    focusPage();
  };
  return { running, begin, stop, end: () => setRunning(null) };
}
