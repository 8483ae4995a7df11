import { Type } from "typebox";
import { IMPACTS, INCIDENT_STATUSES, SEVERITIES } from "../incident/states.ts";
import { IdText, nullable, oneOf, withId } from "./field.ts";
import { optional } from "./monitor-input.ts";
import { MAX_PAGES } from "./status-pages.ts";

/** In characters. */
const MAX_TEXT_LENGTH = 10_000;
const MAX_POSTMORTEM_LENGTH = 60_000;
const MAX_AFFECTED = 100;

const text = (description: string, maxLength = MAX_TEXT_LENGTH) =>
  Type.String({
    minLength: 1,
    maxLength,
    description: `${description} At most ${maxLength.toLocaleString("en")} characters; space around it does not count.`,
  });

const fields = {
  title: Type.String({
    format: "name",
    description: "1 to 255 characters.",
    examples: ["Payments are slow"],
  }),
  description: Type.String({ maxLength: MAX_TEXT_LENGTH, description: "What is known. Default: empty." }),
  severity: oneOf(SEVERITIES, { description: "Default: medium." }),
  impact: oneOf(IMPACTS, {
    description:
      "What visitors of status pages are told: `minor` degraded performance, `major` a partial outage, `critical` a major outage. Default: follows from the severity: `critical` for critical, `major` for high, else `minor`. Changing only the severity does not change it.",
  }),
  status: oneOf(INCIDENT_STATUSES, {
    description: "Default: open. A resolved incident has to be reopened before its state can change.",
  }),
  startedAt: Type.String({
    format: "date-time",
    description: "When it began; not in the future. Default: now.",
    examples: ["2026-11-21T09:30:00.000Z"],
  }),
  affectedServices: Type.Array(Type.String({ minLength: 1, maxLength: 255 }), {
    maxItems: MAX_AFFECTED,
    description:
      "Names of what it affects, whether it is monitored or not. In a change, names that are left out are removed.",
    examples: [["Payments"]],
  }),
  monitorIds: Type.Array(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }), {
    maxItems: MAX_AFFECTED,
    uniqueItems: true,
    description:
      "Monitors (domains, services, devices) that it affects, by their ids; their names are kept as they are now. What is down in it stays in it. An incident with an entry for every page (`pages` null) appears on each status page that comes to show what it affects, and the subscribers there are notified: `GET /api/status-pages/showing` says beforehand which these are.",
    examples: [[7]],
  }),
};

const pages = (description: string) =>
  Type.Optional(
    Type.Unsafe<string[] | null>({
      type: ["array", "null"],
      items: { type: "string", format: "uuid" },
      maxItems: MAX_PAGES,
      uniqueItems: true,
      description,
      examples: [["0190b6a4-2f10-7c3a-9d53-1a2b3c4d5e6f"]],
    }),
  );

/** POST /api/incidents. */
export const IncidentCreate = Type.Object(
  {
    ...optional(fields),
    title: fields.title,
    pages: pages(
      "The status pages that show it, by their uuids, as far as they show what is affected. Empty: none, until an update says so. Null, the default: every page of what it affects.",
    ),
  },
  { title: "IncidentCreate" },
);

/** PUT /api/incidents/{id}: any subset. */
export const IncidentChange = Type.Object(optional(fields), { title: "IncidentUpdate" });

/** POST /api/incidents/{id}/assign. */
export const IncidentAssignment = withId(
  Type.Object(
    {
      userId: nullable(
        Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, examples: [3] }),
        "A member of the organization; null: nobody.",
      ),
    },
    { title: "IncidentAssignment" },
  ),
);

/** POST /api/incidents/{id}/merge. */
export const IncidentMerge = withId(
  Type.Object(
    {
      into: Type.Unsafe<string | number>({
        type: ["string", "integer"],
        minLength: 1,
        maxLength: 255,
        minimum: 1,
        description: "The incident to merge this one into: its id or uuid.",
        examples: [8],
      }),
    },
    { title: "IncidentMerge" },
  ),
);

/** POST /api/incidents/{id}/split. */
export const IncidentSplit = withId(
  Type.Object(
    {
      monitorId: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: Number.MAX_SAFE_INTEGER,
          description:
            "The monitor whose outage gets an incident of its own. Default: every monitor but the first.",
          examples: [7],
        }),
      ),
    },
    { title: "IncidentSplit" },
  ),
);

/** PUT /api/incidents/{id}/postmortem. */
export const PostmortemInput = withId(
  Type.Object(
    {
      content: nullable(
        Type.String({
          maxLength: MAX_POSTMORTEM_LENGTH,
          examples: ["**Cause:** the disk was full."],
        }),
        `Markdown of at most ${MAX_POSTMORTEM_LENGTH.toLocaleString("en")} characters; HTML in it is text. Null or empty removes it.`,
      ),
    },
    { title: "PostmortemInput" },
  ),
);

const logStatus = Type.Optional(
  oneOf(INCIDENT_STATUSES, { description: "The incident's new state. Default: the one it has." }),
);

/** POST /api/incidents/{id}/updates. */
export const IncidentUpdateCreate = withId(
  Type.Object(
    {
      message: text("For visitors of status pages, as Markdown: HTML in it is text."),
      status: logStatus,
      pages: pages(
        "The status pages that show it, by their uuids, as far as they show what the incident affects. Empty: none. Null, the default: every page of what it affects.",
      ),
    },
    { title: "IncidentUpdateCreate" },
  ),
);

/** One entry of one incident's log. */
export const IncidentUpdateParams = Type.Object({ id: IdText, updateId: IdText });

/** PUT /api/incidents/{id}/updates/{updateId}. */
export const IncidentUpdateEdit = Type.Object({
  ...IncidentUpdateParams.properties,
  message: Type.Optional(text("What it says from now on, as Markdown.")),
  pages: pages(
    "The status pages that show it from now on, by their uuids. Empty: none. Null: every page of what the incident affects.",
  ),
});

const internal = Type.Optional(
  Type.Boolean({ description: "True: never shown outside the organization. Default: false." }),
);

/** POST /api/incidents/{id}/comments. */
export const IncidentCommentCreate = withId(
  Type.Object(
    { content: text("Comments are for the organization."), isInternal: internal },
    { title: "IncidentCommentCreate" },
  ),
);

/** One comment of one incident. */
export const IncidentCommentParams = Type.Object({ id: IdText, commentId: IdText });

/** PUT /api/incidents/{id}/comments/{commentId}. */
export const IncidentCommentEdit = Type.Object({
  ...IncidentCommentParams.properties,
  content: text("What it says from now on."),
  isInternal: internal,
});
