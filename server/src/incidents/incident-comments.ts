import { Type } from "typebox";
import { managesOrganization } from "../platform/access/roles-and-scopes.ts";
import { notFound, PublicError } from "../platform/errors.ts";
import { msg } from "../platform/i18n/message.ts";
import { Deleted } from "../platform/operations/field.ts";
import { type Running, verb } from "../platform/operations/operation.ts";
import { pageIn, pagingOf } from "../platform/operations/paging.ts";
import { checkText } from "../platform/operations/validator.ts";
import { findIncidentMeant, lockForChange, readEntryId } from "./affected.ts";
import { changeIncident } from "./changed-incident.ts";
import {
  countIncidentComments,
  findIncidentComment,
  insertIncidentComment,
  listIncidentComments as queryComments,
  deleteIncidentComment as removeComment,
  editIncidentComment as rewriteComment,
  type IncidentComment as StoredComment,
} from "./queries/incident-updates.ts";
import type { Incident } from "./queries/incidents.ts";
import {
  IncidentComment,
  IncidentCommentCreate,
  IncidentCommentEdit,
  IncidentCommentParams,
  IncidentLogQuery,
  projectIncidentComment,
} from "./schemas/incident-changes.ts";

const ofIncidents = { resource: "incidents", feature: "team", find: findIncidentMeant } as const;

/** What people said about an incident, oldest first. Throws 404. */
export const listIncidentComments = verb({
  ...ofIncidents,
  action: "read",
  input: IncidentLogQuery,
  output: Type.Array(IncidentComment),
  paged: true,
  async run({ db }, input, { id }) {
    const paging = pagingOf(input);
    const items = (await queryComments(db, id, paging)).map(projectIncidentComment);
    return { items, page: paging.isPaged ? pageIn(paging, await countIncidentComments(db, id)) : undefined };
  },
});

/** Says something about it. Throws 404, 409 for a merged one, 422. */
export const addIncidentComment = verb({
  ...ofIncidents,
  action: "write",
  audit: "add incident comment",
  input: IncidentCommentCreate,
  output: IncidentComment,
  async run(ctx, { content, isInternal = false }, found) {
    const incident = await lockForChange(ctx, found);
    const { id: incidentId, organizationId } = incident;
    const { userId } = ctx.caller;
    const comment = { content: checkText("content", content), isInternal, at: ctx.clock.now() };
    const id = await insertIncidentComment(ctx.db, { organizationId, incidentId, userId, ...comment });
    return shownAfterChange(ctx, incident, id);
  },
});

/** Edits a comment. Throws 404, and 403 for another person's, except for admins of the organization. */
export const editIncidentComment = verb({
  ...ofIncidents,
  action: "write",
  audit: "edit incident comment",
  input: IncidentCommentEdit,
  output: IncidentComment,
  async run(ctx, { commentId, content, isInternal }, found) {
    const incident = await lockForChange(ctx, found);
    const comment = await ownComment(ctx, incident, commentId);
    const said = { content: checkText("content", content), isInternal: isInternal ?? comment.isInternal };
    await rewriteComment(ctx.db, comment.id, said, ctx.clock.now());
    return shownAfterChange(ctx, incident, comment.id);
  },
});

/** Removes a comment. Throws as editing does. */
export const deleteIncidentComment = verb({
  ...ofIncidents,
  action: "write",
  audit: "delete incident comment",
  input: IncidentCommentParams,
  output: Deleted,
  async run(ctx, { commentId }, found) {
    const incident = await lockForChange(ctx, found);
    const { id } = await ownComment(ctx, incident, commentId);
    await removeComment(ctx.db, id);
    await changeIncident(ctx, incident);
    return { id };
  },
});

async function ownComment({ db, caller }: Running, incident: Incident, id: string): Promise<StoredComment> {
  const comment = await findIncidentComment(db, incident.id, readEntryId(id));
  if (!comment) throw notFound();
  if (comment.authorId === caller.userId || managesOrganization(caller.role)) return comment;
  throw new PublicError("forbidden", msg("incident.foreign_comment"));
}

async function shownAfterChange(ctx: Running, incident: Incident, id: number) {
  await changeIncident(ctx, incident);
  const comment = await findIncidentComment(ctx.db, incident.id, id);
  if (!comment) throw notFound();
  return projectIncidentComment(comment);
}
