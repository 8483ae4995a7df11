import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { activityQuery, activityRead, unknownQuery } from "../api/overview.ts";
import { Skeleton } from "../components/Skeleton.tsx";
import { StatusDot, statusInk } from "../components/StatusDot.tsx";
import { useNow } from "../components/use-now.ts";
import { formatAgo, formatDuration, hasJustBegun } from "../i18n/format.ts";
import { type Filter, shownStatus } from "../monitors/monitor-view.ts";
import { lastTrouble } from "./activity-words.ts";
import { mergePages, type Since, sinceOf, toneOf } from "./condition.ts";
import type { KindCondition } from "./use-overview.ts";

/** One sentence that says how everything is, and one that says since when. */
export function Headline({
  counts,
  kinds,
}: {
  counts: Record<Filter, number>;
  kinds: readonly KindCondition[];
}) {
  const { t } = useTranslation("overview");
  const tone = toneOf(counts);
  const concerned = kinds.filter((one) => one.counts[tone] > 0);
  const together = concerned.some(({ kind }) => kind.id === "device") ? "mixed" : "any";
  const who = concerned.length === 1 && concerned[0] ? concerned[0].kind.id : together;
  const since = (state: "down" | "degraded") => sinceOf(mergePages(kinds.map((one) => one[state])));
  const checking = useFirstCheck(tone === "unknown" ? kinds : []);
  const ink = tone === "up" || tone === "paused" ? "text-ink" : statusInk[tone];
  return (
    <div data-tone={tone}>
      <h1 className={`flex items-center gap-2.5 text-xl font-semibold ${ink}`}>
        <StatusDot status={tone} className="size-2.5" />
        {checking === "asked" && <Skeleton className="h-5 w-64" />}
        {typeof checking === "object" && t("headline.checking", checking)}
        {checking === undefined &&
          (tone === "up" || tone === "paused"
            ? t(`headline.${tone}`)
            : t(`headline.${who}.${tone}`, { count: counts[tone] }))}
      </h1>
      <div className={`pl-5 text-ink-muted ${tone === "up" ? "max-sm:min-h-11" : ""}`}>
        {tone === "down" && <TroubleLine state="down" since={since("down")} />}
        {tone === "degraded" && <TroubleLine state="degraded" since={since("degraded")} />}
        {tone === "unknown" && (
          <p>{checking ? t("checkingText") : t("unknownText", { count: counts.unknown })}</p>
        )}
        {tone === "up" && <LastTroubleLine />}
        {tone === "paused" && <p>{t("pausedText")}</p>}
      </div>
    </div>
  );
}

/**
 * The one domain without a status whose first results are on their way; `asked` until it is known whether it is one,
 * undefined where there is none, or more. A status that live events have brought comes a moment before the counts.
 */
function useFirstCheck(kinds: readonly KindCondition[]): { name: string } | "asked" | undefined {
  const unknown = kinds.filter(({ counts }) => counts.unknown > 0);
  const isOne = unknown.length === 1 && unknown[0]?.kind.id === "domain" && unknown[0].counts.unknown === 1;
  const { data, isPending } = useQuery({ ...unknownQuery, enabled: isOne });
  if (!isOne) return undefined;
  const [domain] = data?.monitors ?? [];
  // A list without it was read before the domain was made, or after its first result: the counts follow.
  if (isPending || (data && !domain)) return "asked";
  return domain && shownStatus(domain) !== "unknown" ? { name: domain.name } : undefined;
}

function TroubleLine({ state, since }: { state: "down" | "degraded"; since: Since | null }) {
  const { t, i18n } = useTranslation("overview");
  const now = useNow();
  if (!since) return null;
  const lasted = now - since.at;
  if (hasJustBegun(lasted)) return <p>{t(`since.${state}.${since.which}Now`)}</p>;
  return <p>{t(`since.${state}.${since.which}`, { duration: formatDuration(lasted, i18n.language) })}</p>;
}

/** What was wrong last, and for how long all has been well since. */
function LastTroubleLine() {
  const { t, i18n } = useTranslation("overview");
  const now = useNow();
  const { data: items, error } = useQuery(activityQuery);
  if (!items) return error ? null : <Skeleton className="mt-1.5 h-3 w-64" />;
  const trouble = lastTrouble(items);
  if (!trouble) return <p>{t(items.length < activityRead ? "noTrouble" : "noTroubleLately")}</p>;
  const { name, was, beganAt, endedAt } = trouble;
  const ago = formatAgo(now - endedAt, i18n.language);
  if (beganAt === null) return <p>{t(`last.${was}`, { name, ago })}</p>;
  const duration = formatDuration(endedAt - beganAt, i18n.language);
  return <p>{t(`last.${was}For`, { name, ago, duration })}</p>;
}
