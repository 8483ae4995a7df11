import { type Static, Type } from "typebox";
import { INCIDENT_STATUSES, type IncidentStatus } from "../incident/states.ts";
import type {
  IncidentComment as StoredComment,
  IncidentUpdate as StoredUpdate,
} from "../store/queries/incident-updates.ts";
import { DeviceApplicationChange, DeviceConnection, DeviceProcess } from "./device-lists.ts";
import { MessageSchema } from "./fact.ts";
import { fromOutside, IdText, nullable, oneOf, shown, Timestamp, Uuid } from "./field.ts";
import { PageQuery } from "./page.ts";

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
        "The status pages that show it; empty: none. Null: every page of what the incident affects. Of what Vedette wrote itself pages show nothing: they tell of outages in words of their own.",
    }),
    isOpening: Type.Boolean({
      description:
        "Whether it is the description with which somebody opened the incident. Pages show the state without these words.",
    }),
    createdAt: Timestamp,
    editedAt,
  },
  { title: "IncidentLogEntry" },
);

/** An entry of an incident's log as the API shows it. `pages`: by their uuids. */
export const projectIncidentUpdate = ({
  status,
  ...update
}: Omit<StoredUpdate, "pageIds"> & { pages: string[] | null }) =>
  shown(IncidentUpdate, { ...update, status: status as IncidentStatus });

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
      "What had not been there a minute before, at most 50; null: nobody looked.",
    ),
    changes: Type.Array(DeviceApplicationChange, {
      description:
        "Applications that came, went or were updated in the hour before, as far as was noticed within a minute after.",
    }),
  },
  { title: "IncidentDevice" },
);

export type ShownIncidentDevice = Static<typeof IncidentDevice>;
