import { WifiOff } from "lucide-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useAwaySince, useKeptAt } from "../api/live-state.ts";
import { formatClock } from "../i18n/format.ts";

/** Says that what is shown is old, and from when. It lies over the space above the page, so that nothing moves. */
export function AwayStrip() {
  const awaySince = useAwaySince();
  const keptAt = useKeptAt();
  const at = keptAt ?? awaySince;
  // Dots turn grey by it (StatusDot).
  useEffect(() => {
    document.documentElement.toggleAttribute("data-away", at !== null);
    return () => document.documentElement.removeAttribute("data-away");
  }, [at]);
  return (
    <div role="status" className="absolute inset-x-0 top-full">
      {at !== null && <Strip at={at} isWaiting={awaySince === null} />}
    </div>
  );
}

/** `isWaiting`: the server may be there, but has not answered yet. */
function Strip({ at, isWaiting }: { at: number; isWaiting: boolean }) {
  const { t, i18n } = useTranslation();
  const [appearedAt] = useState(() => Date.now());
  const time = formatClock(at, appearedAt, i18n.language);
  return (
    <p className="flex min-h-7 items-center gap-2 border-b border-line bg-warn-soft px-4 py-0.5 text-xs text-warn-ink sm:px-6 sm:text-sm">
      <WifiOff aria-hidden className="size-3.5 shrink-0" />
      <span>{t(isWaiting ? "frame.waiting" : "frame.away", { time })}</span>
    </p>
  );
}
