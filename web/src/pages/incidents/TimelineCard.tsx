import { useQuery } from "@tanstack/react-query";
import { Lock, MessageSquare } from "lucide-react";
import { useTranslation } from "react-i18next";
import {
  type IncidentComment,
  type IncidentUpdate,
  incidentCommentsQuery,
  incidentUpdatesQuery,
} from "../../api/incidents.ts";
import { Loaded } from "../../components/Loaded.tsx";
import { together } from "../../components/readings.ts";
import { Section } from "../../components/Section.tsx";
import { Skeleton } from "../../components/Skeleton.tsx";
import { StatusDot } from "../../components/StatusDot.tsx";
import { useNow } from "../../components/use-now.ts";
import { formatDateTime, formatMoment } from "../../format.ts";
import { factInReadersLanguage } from "../../i18n/i18n.ts";
import { toneOf } from "./IncidentStatusText.tsx";

type Entry = { update: IncidentUpdate } | { comment: IncidentComment };

const timeOf = (entry: Entry) => ("update" in entry ? entry.update : entry.comment).createdAt;

/** What was done and said, the newest first. */
export function TimelineCard({ id }: { id: number }) {
  const { t } = useTranslation("incidents");
  const updates = useQuery(incidentUpdatesQuery(id));
  const comments = useQuery(incidentCommentsQuery(id));
  return (
    <Section title={t("timeline.title")}>
      <Loaded
        of={together({ updates, comments })}
        failed={t("timeline.failed")}
        loading={<EntriesSkeleton />}
      >
        {(read) => (
          <ol className="grid px-4 pb-2">
            {entriesOf(read.updates, read.comments).map((entry) =>
              "update" in entry ? (
                <Update key={`update ${entry.update.id}`} update={entry.update} />
              ) : (
                <Comment key={`comment ${entry.comment.id}`} comment={entry.comment} />
              ),
            )}
          </ol>
        )}
      </Loaded>
    </Section>
  );
}

/** Of the same moment, what was written later comes first. */
function entriesOf(updates: readonly IncidentUpdate[], comments: readonly IncidentComment[]): Entry[] {
  return [...updates.map((update) => ({ update })), ...comments.map((comment) => ({ comment }))]
    .toReversed()
    .toSorted((a, b) => Date.parse(timeOf(b)) - Date.parse(timeOf(a)));
}

const entryLook = "flex gap-3 border-t border-line py-3 first:border-t-0";

function Update({ update }: { update: IncidentUpdate }) {
  const { t } = useTranslation("incidents");
  return (
    <li className={entryLook}>
      <span className="grid h-5 w-4 shrink-0 place-items-center">
        <StatusDot status={toneOf(update.status)} plain />
      </span>
      <div className="min-w-0 flex-1">
        <Byline
          author={
            update.fact === null
              ? (update.authorName ?? t("someone"))
              : (update.authorName ?? t("timeline.itself"))
          }
          what={t(`status.${update.status}`)}
          at={update.createdAt}
          isEdited={update.editedAt !== null}
        />
        <p className="mt-0.5 text-pretty break-words whitespace-pre-line">
          {factInReadersLanguage(update.message, update.fact)}
        </p>
      </div>
    </li>
  );
}

function Comment({ comment }: { comment: IncidentComment }) {
  const { t } = useTranslation("incidents");
  const Icon = comment.isInternal ? Lock : MessageSquare;
  return (
    <li className={entryLook}>
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0 text-ink-faint" />
      <div className="min-w-0 flex-1">
        <Byline
          author={comment.authorName ?? t("someone")}
          what={t(comment.isInternal ? "timeline.internal" : "timeline.comment")}
          at={comment.createdAt}
          isEdited={comment.editedAt !== null}
        />
        <p className="mt-0.5 text-pretty break-words whitespace-pre-line">{comment.content}</p>
      </div>
    </li>
  );
}

function Byline({
  author,
  what,
  at,
  isEdited,
}: {
  author: string;
  what: string;
  at: string;
  isEdited: boolean;
}) {
  const { t, i18n } = useTranslation("incidents");
  const now = useNow();
  return (
    <p className="flex flex-wrap gap-x-2 text-sm text-ink-muted">
      <span className="font-medium text-ink">{author}</span>
      <span>{what}</span>
      <time dateTime={at} title={formatDateTime(at, i18n.language)} className="tabular-nums">
        {formatMoment(at, now, i18n.language)}
      </time>
      {isEdited && <span>({t("timeline.edited")})</span>}
    </p>
  );
}

function EntriesSkeleton() {
  return (
    <div aria-hidden className="grid gap-3 px-4 pb-4">
      <Skeleton className="h-3 w-40" />
      <Skeleton className="h-3 w-72" />
    </div>
  );
}
