import { type Static, Type } from "typebox";
import { csvOf } from "../../monitors/schemas/imports.ts";
import { AUDIT_ACTIONS, type AuditAction } from "../../platform/access/audit-actions.ts";
import type { AuditRow } from "../../platform/access/queries/audit.ts";
import type { Word } from "../../platform/operations/field.ts";
import { IdText, nullable, oneOf, Timestamp, timestamp } from "../../platform/operations/field.ts";
import { NewestFirstQuery } from "../../platform/operations/paging.ts";

/** See `actorOf`. */
const AUDIT_ACTORS = ["user", "link", "command_line", "channel"] as const;

const when = (description: string) => Type.Optional(Type.String({ format: "date-time", description }));

export const AuditLogFilter = Type.Object({
  organization: IdText,
  action: Type.Optional(oneOf(AUDIT_ACTIONS, { description: "Only what was done in this way." })),
  userId: Type.Optional(
    Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: "Only what this person did." }),
  ),
  subject: Type.Optional(
    Type.String({
      maxLength: 255,
      description:
        "Only what was done with something whose name has this in it; A to Z may be written in any case.",
    }),
  ),
  from: when("Only what was done at this time or later."),
  to: when("Only what was done before this time."),
});

export const AuditLogQuery = Type.Object({ ...AuditLogFilter.properties, ...NewestFirstQuery });

export const AuditLogEntry = Type.Object(
  {
    id: Type.String({
      description: "Opaque and stable; the same as in the recent activity.",
      examples: ["change-mGdXcbxqkS0yZ3Ow"],
    }),
    timestamp: Timestamp,
    action: Type.String({ examples: ["delete domains"] }),
    message: Type.String({ examples: ["Ada deleted the domain Shop."] }),
    resource: Type.String({ examples: ["domains"] }),
    resourceId: nullable(Type.String(), "The id of what was changed."),
    subject: nullable(Type.String(), "What that was called then; null where it has no name."),
    before: nullable(
      Type.String({ examples: ["member"] }),
      "What was changed from: of members, their role; null where there is no such thing.",
    ),
    after: nullable(Type.String({ examples: ["admin"] }), "What it was changed to."),
    actor: oneOf(AUDIT_ACTORS, {
      description:
        "Who did it: a person, the holder of a link that needs no account, the command line of the installation, or the service behind a notification channel, which said where the channel has moved.",
    }),
    userId: nullable(Type.Integer(), "The person who did it; null: `actor` is another."),
    userName: nullable(Type.String(), "Null: the account is gone, too."),
    userEmail: nullable(Type.String()),
    apiKeyId: nullable(Type.Integer(), "The API key that was used; null: none."),
    apiKeyName: nullable(Type.String()),
    address: Type.String({ description: "Where it was done from.", examples: ["192.0.2.17"] }),
    requestId: Type.String({ description: "As in `X-Request-Id`." }),
  },
  { title: "AuditLogEntry" },
);

export const auditFilterOf = ({ action, userId, subject, from, to }: Static<typeof AuditLogFilter>) => ({
  action: action as AuditAction | undefined,
  userId,
  subject,
  from: from === undefined ? undefined : Date.parse(from),
  to: to === undefined ? undefined : Date.parse(to),
});

export function projectAuditRow(
  { at, id: _, ...row }: AuditRow,
  said: { id: string; message: string },
): Static<typeof AuditLogEntry> {
  return { ...said, ...row, actor: actorOf(row), timestamp: timestamp(at) };
}

/** Without a person there is no request: only a channel's service and the command line act then. */
function actorOf({ userId, requestId, action }: Omit<AuditRow, "at" | "id">): (typeof AUDIT_ACTORS)[number] {
  if (userId !== null) return "user";
  if (requestId !== "") return "link";
  return action === "update channels" ? "channel" : "command_line";
}

export const AUDIT_LOG_CSV = {
  type: "text/csv",
  schema: Type.String({ examples: ["id,timestamp,action,message\n"] }),
};

export const auditLogFile = (
  { slug, entries }: { slug: string; entries: AsyncIterable<Static<typeof AuditLogEntry>> },
  word: Word,
) => ({
  name: `audit-log-${slug}.csv`,
  content: csvOf(
    Object.keys(AuditLogEntry.properties).map((key) => ({ key, header: word(key) })),
    entries,
  ),
});
