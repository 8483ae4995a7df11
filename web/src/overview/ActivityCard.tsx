import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { type Activity, activityQuery, activityRead, activityShown } from "../api/overview.ts";
import { Section } from "../components/Card.tsx";
import { Loaded } from "../components/Loaded.tsx";
import { type ShownStatus, StatusDot } from "../components/StatusDot.tsx";
import { Time } from "../components/Time.tsx";
import { useNow } from "../components/use-now.ts";
import { formatCount, formatDuration, formatSpan } from "../i18n/format.ts";
import { translateMessage } from "../i18n/i18n.ts";
import { kindOf } from "../kinds.ts";
import { aroundName, type Problem, problemBefore } from "./activity-words.ts";
import { type ActivityLine, foldActivity } from "./fold-activity.ts";
import { ActivitySkeleton } from "./OverviewSkeleton.tsx";

export function ActivityCard() {
  const { t } = useTranslation("overview");
  const query = useQuery(activityQuery);
  return (
    <Section title={t("activity.title")}>
      <Loaded
        of={query}
        failed={t("activity.failed")}
        loading={<ActivitySkeleton />}
        empty={<p className="px-4 pt-1 pb-5 text-pretty text-ink-faint">{t("activity.empty")}</p>}
      >
        {(items) => (
          <ul>
            {foldActivity(items)
              .slice(0, activityShown)
              .map((line) => (
                <ActivityRow key={items[line.at]?.id} items={items} line={line} />
              ))}
          </ul>
        )}
      </Loaded>
    </Section>
  );
}

const dots: Record<ActivityLine["word"], ShownStatus> = {
  down: "down",
  degraded: "degraded",
  recovered: "up",
  restored: "up",
  up: "up",
  paused: "paused",
  silent: "unknown",
  offline: "unknown",
  flapping: "degraded",
};

/** It is online or offline, healthy or not. */
const isDevice = ({ monitorKind }: Activity): boolean => monitorKind === "device";

/** "Shop is up again", how long it was not, and when that was. */
function ActivityRow({ items, line }: { items: readonly Activity[]; line: ActivityLine }) {
  const { at, word } = line;
  const item = items[at] as Activity;
  const detail = useDetail(item, word, problemBefore(items, at));
  return (
    <li data-activity={word} className="flex gap-3 border-t border-line px-4 py-2.5">
      <StatusDot status={dots[word]} plain className="mt-1.5" />
      <div className="min-w-0 flex-1">
        <div className="flex items-baseline justify-between gap-4">
          <p className="min-w-0 wrap-anywhere">
            <LineSentence item={item} line={line} hasMore={line.isCut && items.length >= activityRead} />
          </p>
          <Time at={item.timestamp} as="ago" className="shrink-0 text-xs whitespace-nowrap text-ink-faint" />
        </div>
        {detail && <p className="line-clamp-3 text-sm text-pretty wrap-anywhere text-ink-muted">{detail}</p>}
      </div>
    </li>
  );
}

/** Why it went wrong, or how long it was wrong. */
function useDetail(item: Activity, word: ActivityLine["word"], problem: Problem | null): string | null {
  const { t, i18n } = useTranslation("overview");
  if (word === "down" || word === "degraded")
    return item.reason && translateMessage(item.reason, item.reasonFact);
  if (word === "flapping" || word === "offline") return null;
  if (!problem || problem.beganAt === null) return null;
  const duration = formatDuration(problem.endedAt - problem.beganAt, i18n.language);
  return isDevice(item)
    ? t(`activity.device.was.${problem.was}`, { duration })
    : t(`activity.was.${problem.was}`, { duration });
}

/** `hasMore`: what has been read ends with the line, which may have begun before. */
function LineSentence(props: { item: Activity; line: ActivityLine; hasMore: boolean }) {
  const { item, line, hasMore } = props;
  const { word, count, span } = line;
  const { t, i18n } = useTranslation("overview");
  const now = useNow();
  if (word === "offline") {
    const { fromMs, toMs } = span ?? { fromMs: now, toMs: now };
    return t("activity.offline", { span: formatSpan(fromMs, toMs, now, i18n.language) });
  }
  if (word === "flapping") {
    const duration = formatDuration(span ? span.toMs - span.fromMs : 0, i18n.language);
    return (
      <Sentence
        item={item}
        sentenceWith={(name) => t("activity.flapping", { name, changes: count, duration })}
      />
    );
  }
  if (count === 1) {
    const sentenceWith = (name: string) =>
      isDevice(item) && word !== "paused" && word !== "silent"
        ? t(`activity.device.${word}`, { name })
        : t(`activity.${word}`, { name });
    return <Sentence item={item} sentenceWith={sentenceWith} />;
  }
  const amount = `${formatCount(count, i18n.language)}${hasMore ? "+" : ""}`;
  return t(`activity.many.${word === "paused" ? "paused" : "up"}`, { amount });
}

function Sentence({ item, sentenceWith }: { item: Activity; sentenceWith: (name: string) => string }) {
  const { monitorId, monitorKind, monitorName } = item;
  const kind = kindOf(monitorKind ?? "");
  const [before, after] = aroundName(sentenceWith);
  return (
    <>
      {before}
      {kind ? (
        <Link
          to={kind.pages.one}
          dir="auto"
          params={{ id: String(monitorId) }}
          className="rounded-sm font-medium underline-offset-4 hover:underline"
        >
          {monitorName}
        </Link>
      ) : (
        <span className="font-medium">{monitorName}</span>
      )}
      {after}
    </>
  );
}
