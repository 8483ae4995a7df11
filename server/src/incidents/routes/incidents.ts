import { LONG_TEXTS } from "../../platform/http/answer.ts";
import type { DefineBoth } from "../../platform/http/both-families.ts";
import { acknowledgeIncident, acknowledgeIncidents } from "../acknowledge-incidents.ts";
import { assignIncident, createIncident, deleteIncident, reopenIncident } from "../create-incident.ts";
import { getEvidence, getPostmortem, listIncidentDevices, writePostmortem } from "../evidence.ts";
import {
  addIncidentComment,
  deleteIncidentComment,
  editIncidentComment,
  listIncidentComments,
} from "../incident-comments.ts";
import {
  addIncidentUpdate,
  deleteIncidentUpdate,
  editIncidentUpdate,
  listIncidentUpdates,
} from "../incident-updates.ts";
import { explainIncident, getIncident, listIncidents } from "../list-incidents.ts";
import { mergeIncident } from "../merge-incident.ts";
import { splitIncident } from "../split-incident.ts";
import { updateIncident } from "../update-incident.ts";

const collection = { url: "/api/incidents" };
const item = { url: "/api/incidents/:id" };
const postmortem = { url: "/api/incidents/:id/postmortem" };
/** What is said of an incident that cannot be changed like that any more. */
const CONFLICT = { failures: [409] };

/** Outages and what people report. */
export function describeIncidents(define: DefineBoth): void {
  define({
    ...collection,
    verb: listIncidents,
    method: "GET",
    summary: "List incidents",
    description:
      "Newest first unless sorted otherwise: all, up to 1,000, or one page when `page` or `limit` is given.",
    v2: {
      description:
        "One page of the outages that were found and of what people reported, newest first unless sorted otherwise.",
    },
  });
  define({
    ...collection,
    verb: createIncident,
    ...LONG_TEXTS,
    method: "POST",
    status: 201,
    summary: "Report an incident",
    description:
      "An incident that you report never changes what is detected, and stays open until it is resolved.",
    message: "Incident created.",
  });
  define({
    url: "/api/incidents/bulk",
    verb: acknowledgeIncidents,
    method: "POST",
    summary: "Acknowledge many incidents",
    description:
      "Runs in one transaction and counts as one write for the rate limit. Acknowledges incidents of one organization: the one that `organization` names, by default that of your key or session. Those that cannot be acknowledged are listed in `failed`, with the error that acknowledging them alone there would return; the others are. Ids that are unknown there are a 404.",
  });
  define({
    ...item,
    verb: getIncident,
    method: "GET",
    summary: "Get an incident",
    description: "When it began, was confirmed and ended, what it affects, and why.",
  });
  define({
    ...item,
    ...CONFLICT,
    verb: updateIncident,
    ...LONG_TEXTS,
    method: "PUT",
    summary: "Change an incident",
    description:
      "Any subset of the fields. If you resolve an outage's incident, it stays resolved while the outage goes on; the monitor's next outage opens another incident.",
  });
  define({
    ...item,
    verb: deleteIncident,
    method: "DELETE",
    summary: "Delete an incident",
    description: "With its updates, comments and postmortem. Notifications of it stay.",
    message: "Incident deleted.",
  });
  describeReadings(define);
  describeActions(define);
  define({
    ...postmortem,
    verb: getPostmortem,
    method: "GET",
    summary: "Get an incident's postmortem",
    description: "What was learned from it, in Markdown.",
  });
  define({
    ...postmortem,
    ...CONFLICT,
    verb: writePostmortem,
    ...LONG_TEXTS,
    method: "PUT",
    summary: "Write an incident's postmortem",
    description: "Replaces the present one; null removes it.",
  });
}

/** Why there is one, and who knows. */
function describeReadings(define: DefineBoth): void {
  define({
    verb: explainIncident,
    method: "GET",
    url: "/api/incidents/:id/explain",
    summary: "Explain an incident",
    description:
      "The votes, thresholds and results behind each change of status. With `confirmations`, `recoveries` or `quorum`, also what these settings would have done: the same rules applied to the stored results.",
  });
  define({
    verb: getEvidence,
    method: "GET",
    url: "/api/incidents/:id/evidence",
    summary: "Get an incident's evidence",
    description:
      "What HTTP checks saw when its monitors failed: the answer's headers and the beginning of its body with secrets masked, redirects, addresses, certificate and times. It is stored as long as the incident.",
  });
  define({
    verb: listIncidentDevices,
    method: "GET",
    url: "/api/incidents/:id/devices",
    summary: "What the devices were doing when an incident began",
    description:
      "For the devices that are affected or that the affected monitors run on: load, the busiest processes, new connections, and applications that changed in the hour before. Needs `read:devices` as well.",
  });
}

function describeActions(define: DefineBoth): void {
  define({
    ...CONFLICT,
    verb: acknowledgeIncident,
    method: "POST",
    url: "/api/incidents/:id/acknowledge",
    summary: "Acknowledge an incident",
    description: "Says that you are looking into it. 409 if another person was first, with their name.",
    message: "Incident acknowledged.",
  });
  define({
    ...CONFLICT,
    verb: reopenIncident,
    method: "POST",
    url: "/api/incidents/:id/reopen",
    summary: "Reopen an incident",
    description:
      "It is open again. If a monitor in it is still down, it is resolved with that outage, else by people.",
    message: "Incident reopened.",
  });
  define({
    ...CONFLICT,
    verb: assignIncident,
    method: "POST",
    url: "/api/incidents/:id/assign",
    summary: "Assign an incident",
    description: "To a member of the organization, or with null to no one.",
  });
  define({
    ...CONFLICT,
    verb: mergeIncident,
    method: "POST",
    url: "/api/incidents/:id/merge",
    summary: "Merge an incident into another",
    description:
      "Its updates, comments and what it affects move to the other incident, which is the answer. This one is resolved and points to the other.",
    message: "Incidents merged.",
  });
  define({
    ...CONFLICT,
    verb: splitIncident,
    method: "POST",
    url: "/api/incidents/:id/split",
    summary: "Separate monitors that share an incident",
    description:
      "Gives the outage of one monitor, or of every monitor but the first, an incident of its own. What you separate is not grouped again. 409 if the incident is about one monitor.",
    message: "Incident separated.",
  });
}

const updates = { url: "/api/incidents/:id/updates" };
const update = { url: "/api/incidents/:id/updates/:updateId" };
const comments = { url: "/api/incidents/:id/comments" };
const comment = { url: "/api/incidents/:id/comments/:commentId" };

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
        "One page of them, oldest first. Its acknowledgement is not among them: see `acknowledged_at` of the incident.",
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
