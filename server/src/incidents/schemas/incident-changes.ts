import { type Static, Type } from "typebox";
import { DeviceApplicationChange, DeviceConnection, DeviceProcess } from "../../monitors/schemas/devices.ts";
import { optional } from "../../monitors/schemas/monitor-input.ts";
import {
  IMPACTS,
  INCIDENT_STATUSES,
  type IncidentStatus,
  SEVERITIES,
} from "../../platform/monitor-defaults.ts";
import {
  fromOutside,
  IdText,
  MessageSchema,
  nullable,
  oneOf,
  shown,
  Timestamp,
  Uuid,
  withId,
} from "../../platform/operations/field.ts";
import { PageQuery } from "../../platform/operations/paging.ts";
import type {
  IncidentComment as StoredComment,
  IncidentUpdate as StoredUpdate,
} from "../queries/incident-updates.ts";

/** So many status pages an organization can have, and an update can go to. */
export const MAX_PAGES = 100;
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
      "What status pages show to visitors: `minor` degraded performance, `major` a partial outage, `critical` a major outage. Default: follows from the severity: `critical` for critical, `major` for high, else `minor`. Changing only the severity does not change it.",
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
      "Monitors (domains, services, devices) that it affects, by their ids; their names are recorded as they are now. What is down in it stays in it. An incident with an entry for every page (`pages` null) appears on each status page that comes to show what it affects, and the subscribers there are notified: `GET /api/status-pages/showing` says beforehand which these are.",
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
        "A member of the organization; null: no one.",
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

/** GET /api/incidents/{id}/updates, and of its comments. */
export const IncidentLogQuery = Type.Object({ id: IdText, ...PageQuery });

const authorName = nullable(Type.String({ examples: ["Ada Lovelace"] }));
const editedAt = nullable(Timestamp, "Null: never.");

export const IncidentUpdate = Type.Object(
  {
    id: Type.Integer({ examples: [31] }),
    incidentId: Type.Integer({ examples: [7] }),
    status: oneOf(INCIDENT_STATUSES, { description: "The incident's state from then on." }),
    // Of what Vedette wrote itself it may be what a server answered.
    message: fromOutside(Type.String({ examples: ["We have found the cause and are working on it."] })),
    fact: MessageSchema,
    authorId: nullable(Type.Integer(), "Null: written by Vedette itself."),
    authorName,
    pages: Type.Unsafe<string[] | null>({
      type: ["array", "null"],
      items: Uuid,
      description:
        "The status pages that show it; empty: none. Null: every page of what the incident affects. Of what Vedette wrote itself pages show nothing: they describe outages in words of their own.",
    }),
    isOpening: Type.Boolean({
      description:
        "Whether it is the description with which a person opened the incident. Pages show the state without these words.",
    }),
    createdAt: Timestamp,
    editedAt,
  },
  { title: "IncidentLogEntry" },
);

/** An entry of an incident's log as the API shows it. `pages`: by their uuids. */
export const projectIncidentUpdate = ({
  status,
  descriptor,
  ...update
}: Omit<StoredUpdate, "pageIds"> & { pages: string[] | null }) =>
  shown(IncidentUpdate, { ...update, status: status as IncidentStatus, fact: descriptor });

export const IncidentComment = Type.Object(
  {
    id: Type.Integer({ examples: [12] }),
    incidentId: Type.Integer({ examples: [7] }),
    content: Type.String({ examples: ["I am looking into it."] }),
    isInternal: Type.Boolean({ description: "Never shown outside of the organization." }),
    authorId: nullable(Type.Integer()),
    authorName,
    createdAt: Timestamp,
    editedAt,
  },
  { title: "IncidentComment" },
);

/** A comment as the API shows it. */
export const projectIncidentComment = (comment: StoredComment) => shown(IncidentComment, comment);

export const Postmortem = Type.Object(
  {
    incidentId: Type.Integer({ examples: [7] }),
    content: nullable(
      Type.String({ examples: ["**Cause:** the disk was full."] }),
      "Markdown; null where there is none. Show it without any HTML of its own.",
    ),
  },
  { title: "Postmortem" },
);

const figure = (description: string) => Type.Unsafe<number | null>({ type: ["number", "null"], description });

/** GET /api/incidents/{id}/devices: what a device was doing when the incident began. */
export const IncidentDevice = Type.Object(
  {
    device: Type.Object({ id: Type.Integer(), uuid: Uuid, name: Type.String() }),
    at: nullable(
      Timestamp,
      "When that was seen, at most five minutes before; null: nothing was reported then.",
    ),
    figures: Type.Object({
      cpuUsage: figure("Percent."),
      load: figure("Processes that ran or waited, the mean of a minute."),
      memoryUsage: figure("Percent."),
      swapUsage: figure("Percent."),
      diskUsage: figure("Percent, of the fullest disk."),
    }),
    processes: Type.Array(DeviceProcess, { description: "The busiest and the largest ones." }),
    newConnections: nullable(
      Type.Array(DeviceConnection),
      "What had not been there a minute before, at most 50; null: it was not examined.",
    ),
    changes: Type.Array(DeviceApplicationChange, {
      description:
        "Applications that came, went or were updated in the hour before, as far as was noticed within a minute after.",
    }),
  },
  { title: "IncidentDevice" },
);

export type ShownIncidentDevice = Static<typeof IncidentDevice>;
