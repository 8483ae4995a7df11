import { useSuspenseQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Check, Lock, MessageSquare } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { IncidentPage } from "../api/incident-pages.ts";
import type { IncidentComment, IncidentUpdate } from "../api/incidents.ts";
import { manages, useRole } from "../api/roles.ts";
import { sessionQuery } from "../api/session.ts";
import { StatusDot } from "../components/StatusDot.tsx";
import { Time } from "../components/Time.tsx";
import { translateMessage } from "../i18n/i18n.ts";
import { EntryText } from "./EntryText.tsx";
import { toneOfStatus } from "./IncidentStatusText.tsx";
import { SaidOn } from "./PagesField.tsx";

interface UpdateEntryProps {
  update: IncidentUpdate;
  /** Those that show what the incident affects, once they are known. */
  pages: readonly IncidentPage[] | undefined;
  canChange: boolean;
}

/** An update of an incident, with the state it had from then on. Who may change it can change what people wrote. */
export function UpdateEntry({ update, pages, canChange }: UpdateEntryProps) {
  const { t } = useTranslation("incidents");
  const { id, incidentId, fact, authorId, authorName, status, createdAt, editedAt, message } = update;
  const byPerson = fact === null && authorId !== null;
  const byHand = byPerson || (update.isOpening && authorId !== null);
  // What was taken out of it, or came to it, is named by a link.
  const { because, ...own } = fact ?? { code: "" };
  const other = because?.code === "incident.see" ? because.params?.incident : undefined;
  // Of one among several, while the incident goes on.
  const isUp = fact?.code === "incident.recovered";
  return (
    <Entry
      mark={<StatusDot status={isUp ? "up" : toneOfStatus(status)} plain />}
      author={authorName ?? t(fact === null ? "someone" : "timeline.itself")}
      what={t(isUp && status !== "resolved" ? "timeline.up" : `status.${status}`)}
      {...{ createdAt, editedAt }}
    >
      <EntryText
        entry={{ kind: "updates", entryId: id }}
        incidentId={incidentId}
        text={translateMessage(message, other === undefined ? fact : own)}
        isWritten={byPerson}
        canChange={canChange && byHand}
        isMarkdown={fact === null && !update.isOpening}
        shownOn={byHand && pages ? { update, pages } : undefined}
      />
      {authorId === null && fact !== null && pages && <SaidOn {...{ update, pages }} />}
      {other !== undefined && (
        <Link
          to="/incidents/$id"
          params={{ id: String(other) }}
          className="rounded-sm font-medium underline underline-offset-4"
        >
          {t("timeline.other", { id: other })}
        </Link>
      )}
    </Entry>
  );
}

export function AcknowledgedEntry({ at, by }: { at: string; by: string | null }) {
  const { t } = useTranslation("incidents");
  return (
    <Entry
      mark={<Check aria-hidden className="size-4 text-ink-faint" />}
      author={by ?? t("someone")}
      what={t("timeline.acknowledged")}
      createdAt={at}
      editedAt={null}
    />
  );
}

/** An internal note: changed by its author, or by who administers the organization. */
export function CommentEntry({ comment, canChange }: { comment: IncidentComment; canChange: boolean }) {
  const { t } = useTranslation("incidents");
  const { data: session } = useSuspenseQuery(sessionQuery);
  const role = useRole();
  const { id, incidentId, isInternal, authorId, authorName, createdAt, editedAt, content } = comment;
  const Icon = isInternal ? Lock : MessageSquare;
  const isOwn = authorId !== null && authorId === session?.user.id;
  return (
    <Entry
      mark={<Icon aria-hidden className="size-4 text-ink-faint" />}
      author={authorName ?? t("someone")}
      what={t(isInternal ? "timeline.internal" : "timeline.comment")}
      {...{ createdAt, editedAt }}
    >
      <EntryText
        entry={{ kind: "comments", entryId: id }}
        incidentId={incidentId}
        text={content}
        isWritten
        canChange={canChange && (isOwn || manages(role))}
      />
    </Entry>
  );
}

interface EntryProps {
  mark: ReactNode;
  author: string;
  what: string;
  createdAt: string;
  editedAt: string | null;
  children?: ReactNode;
}

function Entry({ mark, author, what, createdAt, editedAt, children }: EntryProps) {
  const { t } = useTranslation("incidents");
  return (
    <li className="group/entry relative flex gap-3 border-t border-line py-3 first:border-t-0">
      <span className="grid h-5 w-4 shrink-0 place-items-center">{mark}</span>
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap gap-x-2 pr-9 text-sm text-ink-muted">
          <span className="font-medium text-ink">{author}</span>
          <span>{what}</span>
          <Time at={createdAt} />
          {editedAt !== null && <span>({t("timeline.edited")})</span>}
        </p>
        {children}
      </div>
    </li>
  );
}
