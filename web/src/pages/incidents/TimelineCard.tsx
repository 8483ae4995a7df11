import { useQuery } from "@tanstack/react-query";
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
import { CommentEntry, UpdateEntry } from "./TimelineEntry.tsx";

type Entry = { update: IncidentUpdate } | { comment: IncidentComment };

const timeOf = (entry: Entry) => ("update" in entry ? entry.update : entry.comment).createdAt;

/** What was done and said, the newest first. `canChange`: whether the reader may change what people wrote. */
export function TimelineCard({ id, canChange }: { id: number; canChange: boolean }) {
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
                <UpdateEntry key={`update ${entry.update.id}`} update={entry.update} canChange={canChange} />
              ) : (
                <CommentEntry
                  key={`comment ${entry.comment.id}`}
                  comment={entry.comment}
                  canChange={canChange}
                />
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

function EntriesSkeleton() {
  return (
    <div aria-hidden className="grid gap-3 px-4 pb-4">
      <Skeleton className="h-3 w-40" />
      <Skeleton className="h-3 w-72" />
    </div>
  );
}
