import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { incidentPagesQuery } from "../api/incident-pages.ts";
import {
  type Incident,
  type IncidentComment,
  type IncidentUpdate,
  incidentCommentsQuery,
  incidentUpdatesQuery,
} from "../api/incidents.ts";
import { Section } from "../components/Card.tsx";
import { together } from "../components/chart-data.ts";
import { Loaded, Skeleton } from "../components/Loaded.tsx";
import { MoreMembers } from "./IncidentStatusText.tsx";
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
            {runsOf(entriesOf(incident, read)).map(([first, ...more]) => {
              const [shown, ...rest] = [first, ...more].map((entry) => (
                <OneEntry key={keyOf(entry)} entry={entry} pages={pages} canChange={canChange} />
              ));
              if (rest.length === 0) return [shown, ...rest];
              return [
                shown,
                <li key={`more ${keyOf(first)}`} className="pb-3 pl-7">
                  <MoreMembers label={t("timeline.more", { count: rest.length })} className="">
                    <ol className="grid">{rest}</ol>
                  </MoreMembers>
                </li>,
              ];
            })}
          </ol>
        )}
      </Loaded>
    </Section>
  );
}

interface OneEntryProps {
  entry: Entry;
  pages: Parameters<typeof UpdateEntry>[0]["pages"];
  canChange: boolean;
}

function OneEntry({ entry, pages, canChange }: OneEntryProps) {
  if ("update" in entry) return <UpdateEntry update={entry.update} pages={pages} canChange={canChange} />;
  if ("comment" in entry) return <CommentEntry comment={entry.comment} canChange={canChange} />;
  return <AcknowledgedEntry at={entry.at} by={entry.acknowledgedBy} />;
}

function keyOf(entry: Entry): string {
  if ("update" in entry) return `update ${entry.update.id}`;
  return "comment" in entry ? `comment ${entry.comment.id}` : "acknowledged";
}

/** What Vedette says of one monitor after the other. */
const ofMembers = ["incident.joined", "incident.recovered", "incident.down_again"];
const several = "_several";

/** Entries that say the same of one monitor after the other belong together. */
function runsOf(entries: readonly Entry[]): [Entry, ...Entry[]][] {
  const runs: [Entry, ...Entry[]][] = [];
  const codeOf = (entry: Entry | undefined) =>
    entry && "update" in entry
      ? ofMembers.find((code) => code === entry.update.fact?.code.replace(several, ""))
      : undefined;
  for (const entry of entries) {
    const run = runs.at(-1);
    const code = codeOf(entry);
    if (run && code !== undefined && code === codeOf(run[0])) run.push(entry);
    else runs.push([entry]);
  }
  return runs;
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
