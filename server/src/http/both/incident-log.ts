import {
  addIncidentComment,
  deleteIncidentComment,
  editIncidentComment,
  listIncidentComments,
} from "../../incident/incident-comments.ts";
import {
  addIncidentUpdate,
  deleteIncidentUpdate,
  editIncidentUpdate,
  listIncidentUpdates,
} from "../../incident/incident-updates.ts";
import type { DefineBoth } from "../both-families.ts";
import { LONG_TEXTS } from "../long-texts.ts";

const updates = { url: "/api/incidents/:id/updates" };
const update = { url: "/api/incidents/:id/updates/:updateId" };
const comments = { url: "/api/incidents/:id/comments" };
const comment = { url: "/api/incidents/:id/comments/:commentId" };
const CONFLICT = { failures: [409] };

/** What is said of incidents: updates are for the public, comments for the organization. */
export function describeIncidentLog(define: DefineBoth): void {
  define({
    ...updates,
    verb: listIncidentUpdates,
    method: "GET",
    summary: "List an incident's updates",
    description:
      "Oldest first: all, up to 1,000, or one page when `page` or `limit` is given. Acknowledging is not among them: see the incident's `acknowledgedAt`.",
    v2: {
      description:
        "One page of them, oldest first. That somebody acknowledged it is none of them: see `acknowledged_at` of the incident.",
    },
  });
  define({
    ...updates,
    ...CONFLICT,
    verb: addIncidentUpdate,
    ...LONG_TEXTS,
    method: "POST",
    status: 201,
    summary: "Post an update of an incident",
    description: "With a `status`, the incident moves to that state.",
    message: "Update posted.",
  });
  define({
    ...update,
    ...CONFLICT,
    verb: editIncidentUpdate,
    ...LONG_TEXTS,
    method: "PUT",
    summary: "Edit an update of an incident",
    description: "409 for one that Vedette wrote itself.",
  });
  define({
    ...update,
    ...CONFLICT,
    verb: deleteIncidentUpdate,
    method: "DELETE",
    summary: "Delete an update of an incident",
    description: "The incident's state stays. 409 for an update that Vedette wrote itself.",
    message: "Update deleted.",
  });
  define({
    ...comments,
    verb: listIncidentComments,
    method: "GET",
    summary: "List an incident's comments",
    description: "Oldest first: all, up to 1,000, or one page when `page` or `limit` is given.",
    v2: { description: "One page of them, oldest first." },
  });
  define({
    ...comments,
    ...CONFLICT,
    verb: addIncidentComment,
    ...LONG_TEXTS,
    method: "POST",
    status: 201,
    summary: "Comment on an incident",
    description: "For members of the organization. Internal comments are never shown outside it.",
    message: "Comment added.",
  });
  define({
    ...comment,
    ...CONFLICT,
    verb: editIncidentComment,
    ...LONG_TEXTS,
    method: "PUT",
    summary: "Edit a comment on an incident",
    description: "Your own; owners and admins may edit anybody's.",
  });
  define({
    ...comment,
    ...CONFLICT,
    verb: deleteIncidentComment,
    method: "DELETE",
    summary: "Delete a comment on an incident",
    description: "Your own; owners and admins may delete anybody's.",
    message: "Comment deleted.",
  });
}
