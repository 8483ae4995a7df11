import { Type } from "typebox";
import type { Db } from "../platform/database/schema.ts";
import { invalidInput, notFound, PublicError } from "../platform/errors.ts";
import { msg } from "../platform/i18n/message.ts";
import { Deleted } from "../platform/operations/field.ts";
import { type Running, verb } from "../platform/operations/operation.ts";
import { pageIn, pagingOf } from "../platform/operations/paging.ts";
import { checkText } from "../platform/operations/validator.ts";
import { findIncidentMeant, lockForChange, readEntryId, readPages } from "./affected.ts";
import { changeIncident, changeOfStatus, logUpdate } from "./changed-incident.ts";
import {
  countIncidentUpdates,
  countWrittenUpdates,
  findIncidentUpdate,
  findNewestUpdate,
  findPageUuids,
  listIncidentUpdates as queryUpdates,
  deleteIncidentUpdate as removeUpdate,
  editIncidentUpdate as rewriteUpdate,
  type IncidentUpdate as StoredUpdate,
} from "./queries/incident-updates.ts";
import type { Incident } from "./queries/incidents.ts";
import {
  IncidentLogQuery,
  IncidentUpdate,
  IncidentUpdateCreate,
  IncidentUpdateEdit,
  IncidentUpdateParams,
  projectIncidentUpdate,
} from "./schemas/incident-changes.ts";
import { assertMove } from "./update-incident.ts";

const ofIncidents = { resource: "incidents", feature: "team", find: findIncidentMeant } as const;

/** What an incident's log says, oldest first. Throws 404. */
export const listIncidentUpdates = verb({
  ...ofIncidents,
  action: "read",
  input: IncidentLogQuery,
  output: Type.Array(IncidentUpdate),
  paged: true,
  async run({ db }, input, { id }) {
    const paging = pagingOf(input);
    const items = await showUpdates(db, await queryUpdates(db, id, paging));
    return { items, page: paging.isPaged ? pageIn(paging, await countIncidentUpdates(db, id)) : undefined };
  },
});

/** Of written updates: more than this is another incident, or a program. */
const MAX_UPDATES = 500;

/** Writes into it, and moves the incident where a state is given. Throws 404, 409 for a merged one, 422. */
export const addIncidentUpdate = verb({
  ...ofIncidents,
  action: "write",
  audit: "add incident update",
  hints: { openWorld: true },
  input: IncidentUpdateCreate,
  output: IncidentUpdate,
  async run(ctx, { message, status, pages: wanted }, found) {
    const incident = await lockForChange(ctx, found);
    assertMove(incident, status);
    const text = checkText("message", message);
    if ((await countWrittenUpdates(ctx.db, incident.id)) >= MAX_UPDATES)
      throw invalidInput({ message: [msg("incident.many_updates", { limit: MAX_UPDATES })] });
    const pages = await readPages(ctx.db, incident.organizationId, wanted);
    const changed = await changeIncident(ctx, incident, changeOfStatus(incident, status, ctx.clock.now()));
    await logUpdate(ctx, changed, text, { pages });
    return showUpdate(ctx.db, await findNewestUpdate(ctx.db, incident.id));
  },
});

/**
 * Rewrites what a person wrote, or shows what a person wrote or did on other pages. Throws 404, 409 for what Vedette wrote
 * itself, 422.
 */
export const editIncidentUpdate = verb({
  ...ofIncidents,
  action: "write",
  audit: "edit incident update",
  input: IncidentUpdateEdit,
  output: IncidentUpdate,
  async run(ctx, { updateId, message, pages: wanted }, found) {
    const incident = await lockForChange(ctx, found);
    const update = await findUpdate(ctx, incident, updateId);
    if (message === undefined) assertByPerson(update);
    else assertWritten(update);
    const text = message === undefined ? undefined : checkText("message", message);
    const pages = wanted === undefined ? undefined : await readPages(ctx.db, incident.organizationId, wanted);
    await rewriteUpdate(ctx.db, update.id, { message: text, pages }, ctx.clock.now());
    await changeIncident(ctx, incident);
    const edited = await findIncidentUpdate(ctx.db, incident.id, update.id);
    if (!edited) throw notFound();
    return showUpdate(ctx.db, edited);
  },
});

/** Removes what a person wrote; the incident's state stays. Throws 404, and 409 for what Vedette wrote itself. */
export const deleteIncidentUpdate = verb({
  ...ofIncidents,
  action: "write",
  audit: "delete incident update",
  input: IncidentUpdateParams,
  output: Deleted,
  async run(ctx, { updateId }, found) {
    const incident = await lockForChange(ctx, found);
    const update = await findUpdate(ctx, incident, updateId);
    assertWritten(update);
    await removeUpdate(ctx.db, update.id);
    await changeIncident(ctx, incident);
    return { id: update.id };
  },
});

async function findUpdate({ db }: Running, incident: Incident, updateId: string): Promise<StoredUpdate> {
  const update = await findIncidentUpdate(db, incident.id, readEntryId(updateId));
  if (!update) throw notFound();
  return update;
}

/** The words are a person's. */
function assertWritten(update: StoredUpdate): void {
  if (update.descriptor !== null) throw writtenByItself();
  assertByPerson(update);
}

/** It says what a person wrote or did: pages can show it. */
function assertByPerson({ authorId }: StoredUpdate): void {
  if (authorId === null) throw writtenByItself();
}

const writtenByItself = () => new PublicError("conflict", msg("incident.written_by_itself"));

type Shown = ReturnType<typeof projectIncidentUpdate>;

/** Entries of one organization's log, with their pages by uuid. */
async function showUpdates(db: Db, updates: readonly StoredUpdate[]): Promise<Shown[]> {
  const uuids = await findPageUuids(db, [...new Set(updates.flatMap(({ pageIds }) => pageIds ?? []))]);
  return updates.map(({ pageIds, ...update }) =>
    projectIncidentUpdate({ ...update, pages: pageIds && pageIds.flatMap((id) => uuids.get(id) ?? []) }),
  );
}

/** One entry. */
async function showUpdate(db: Db, update: StoredUpdate): Promise<Shown> {
  const [shown] = await showUpdates(db, [update]);
  return shown as Shown;
}
