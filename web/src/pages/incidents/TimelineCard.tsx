import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { incidentPagesQuery } from "../../api/incident-pages.ts";
import {
  type Incident,
  type IncidentComment,
  type IncidentUpdate,
  incidentCommentsQuery,
  incidentUpdatesQuery,
} from "../../api/incidents.ts";
import { Loaded } from "../../components/Loaded.tsx";
import { together } from "../../components/readings.ts";
import { Section } from "../../components/Section.tsx";
import { Skeleton } from "../../components/Skeleton.tsx";
import { AcknowledgedEntry, CommentEntry, UpdateEntry } from "./TimelineEntry.tsx";

type Entry =
  | { at: string; update: IncidentUpdate }
  | { at: string; comment: IncidentComment }
  | { at: string; acknowledgedBy: string | null };

/** What was done and said, the newest first. `canChange`: whether the reader may change what people wrote. */
export function TimelineCard({ incident, canChange }: { incident: Incident; canChange: boolean }) {
  const { id } = incident;
  const { t } = useTranslation("incidents");
  const updates = useQuery(incidentUpdatesQuery(id));
  const comments = useQuery(incidentCommentsQuery(id));
  // Who may not know the pages reads the rest.
  const { data: pages } = useQuery(incidentPagesQuery(id));
  return (
    <Section title={t("timeline.title")}>
      <Loaded
        of={together({ updates, comments })}
        failed={t("timeline.failed")}
        loading={<EntriesSkeleton />}
      >
        {(read) => (
          <ol className="grid px-4 pb-2">
            {entriesOf(incident, read).map((entry) =>
              "update" in entry ? (
                <UpdateEntry
                  key={`update ${entry.update.id}`}
                  update={entry.update}
                  pages={pages}
                  canChange={canChange}
                />
              ) : "acknowledgedBy" in entry ? (
                <AcknowledgedEntry key="acknowledged" at={entry.at} by={entry.acknowledgedBy} />
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
function entriesOf(
  { acknowledgedAt, acknowledgedByName }: Incident,
  { updates, comments }: { updates: readonly IncidentUpdate[]; comments: readonly IncidentComment[] },
): Entry[] {
  const entries: Entry[] = [
    ...updates.map((update) => ({ at: update.createdAt, update })),
    ...comments.map((comment) => ({ at: comment.createdAt, comment })),
    ...(acknowledgedAt === null ? [] : [{ at: acknowledgedAt, acknowledgedBy: acknowledgedByName }]),
  ];
  return entries.toReversed().toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at));
}

function EntriesSkeleton() {
  return (
    <div aria-hidden className="grid gap-3 px-4 pb-4">
      <Skeleton className="h-3 w-40" />
      <Skeleton className="h-3 w-72" />
    </div>
  );
}
