import { Type } from "typebox";
import { INCIDENT_STATUSES, type IncidentStatus } from "../incident/states.ts";
import type {
  IncidentComment as StoredComment,
  IncidentUpdate as StoredUpdate,
} from "../store/queries/incident-updates.ts";
import { Fact } from "./fact.ts";
import { fromOutside, nullable, oneOf, Timestamp, Uuid } from "./field.ts";
import { IdText } from "./id.ts";
import { PageQuery } from "./page.ts";
import { shown } from "./shown.ts";

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
    fact: Fact,
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
