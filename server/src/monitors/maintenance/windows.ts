import { randomUUIDv7 } from "node:crypto";
import { Type } from "typebox";
import { assertStays } from "../../platform/access/check-access.ts";
import { lockOrganization } from "../../platform/access/queries/organizations.ts";
import { invalidInput, notFound, PublicError } from "../../platform/errors.ts";
import { msg } from "../../platform/i18n/message.ts";
import { Deleted, IdParams, withId } from "../../platform/operations/field.ts";
import { verb } from "../../platform/operations/operation.ts";
import { pageOf } from "../../platform/operations/paging.ts";
import {
  countOpenWindows,
  deleteWindow,
  insertWindow,
  type MaintenanceWindow as StoredWindow,
  saveWindow,
} from "../queries/maintenance-windows.ts";
import {
  MaintenanceCreate,
  MaintenanceOccurrences,
  MaintenancePreview,
  MaintenanceQuery,
  MaintenanceSkip,
  MaintenanceUpdate,
  MaintenanceWindow,
  projectOccurrence,
} from "../schemas/maintenance.ts";
import { applyWindow, newWindow, planWindow } from "./apply-window.ts";
import {
  announceWindow,
  checkedSettings,
  findWindowMeant,
  readWindows,
  recordWindow,
  rereadWindow,
  showWindow,
  showWindows,
} from "./found-window.ts";
import { type Exception, nextOccurrences, occurrencesOf } from "./occurrences.ts";

/** That many an organization can have that are not over. */
const MAX_OPEN = 200;
const PREVIEWED = 5;
/** Retained of those that were ended early or skipped. */
const MAX_EXCEPTIONS = 500;

const ofMaintenance = { resource: "maintenance", feature: "full" } as const;
const ofOne = { ...ofMaintenance, find: findWindowMeant } as const;

/** The organization's windows: open ones first, then the next, then those that are over, the latest first. */
export const listMaintenance = verb({
  ...ofMaintenance,
  action: "read",
  input: MaintenanceQuery,
  output: Type.Array(MaintenanceWindow),
  paged: true,
  async run(ctx, input) {
    const { windows, span } = await readWindows(ctx, input);
    const { items, page } = pageOf(windows, input);
    return { items: await showWindows(ctx, items, span), page };
  },
});

/** One window. Throws 404. */
export const getMaintenance = verb({
  ...ofOne,
  action: "read",
  input: IdParams,
  output: MaintenanceWindow,
  run: (ctx, _, window) => showWindow(ctx, window),
});

/** Plans a window, by default from now on. Throws 422 with every field that is wrong, 403 where there are enough, 409. */
export const createMaintenance = verb({
  ...ofMaintenance,
  action: "write",
  audit: "create maintenance",
  input: MaintenanceCreate,
  output: MaintenanceWindow,
  async run(ctx, input) {
    const { db, clock, caller } = ctx;
    const { organizationId } = caller;
    const now = clock.now();
    assertStays(await lockOrganization(db, organizationId));
    const settings = await checkedSettings(ctx, planWindow(newWindow(now), input, now));
    if ((await countOpenWindows(db, organizationId, now)) >= MAX_OPEN) {
      throw new PublicError("quota_reached", msg("maintenance.many", { limit: MAX_OPEN }));
    }
    const id = await insertWindow(db, { ...settings, uuid: randomUUIDv7(), organizationId }, now);
    announceWindow(ctx, id);
    await recordWindow(ctx, { ...settings, id });
    return showWindow(ctx, await rereadWindow(ctx, id));
  },
});

/** Changes what is given of a window and leaves the rest. Throws 404 and 422. */
export const updateMaintenance = verb({
  ...ofOne,
  action: "write",
  audit: "update maintenance",
  input: withId(MaintenanceUpdate),
  output: MaintenanceWindow,
  async run(ctx, { id: _, ...input }, found) {
    const now = ctx.clock.now();
    const before = await rereadWindow(ctx, found.id);
    const settings = await checkedSettings(ctx, planWindow(before, input, now));
    await saveWindow(ctx.db, { ...settings, id: before.id }, now);
    announceWindow(ctx, before.id);
    await recordWindow(ctx, { ...settings, id: before.id });
    return showWindow(ctx, await rereadWindow(ctx, before.id));
  },
});

/** Removes a window; what is open of it ends. Throws 404. */
export const deleteMaintenance = verb({
  ...ofOne,
  action: "write",
  audit: "delete maintenance",
  input: IdParams,
  output: Deleted,
  async run(ctx, _, window) {
    const { id } = window;
    if (!(await deleteWindow(ctx.db, id))) throw notFound();
    announceWindow(ctx, id);
    await recordWindow(ctx, window);
    return { id };
  },
});

/** Ends what is open of it now; where it recurs, the next times stay. Throws 404, 409 where it is not open. */
export const endMaintenance = verb({
  ...ofOne,
  action: "write",
  audit: "end maintenance",
  input: IdParams,
  output: MaintenanceWindow,
  async run(ctx, _, found) {
    const now = ctx.clock.now();
    const window = await rereadWindow(ctx, found.id);
    const open = occurrencesOf(window).openAt(now);
    if (!open) throw new PublicError("conflict", msg("maintenance.not_open"));
    return showWindow(ctx, await except(ctx, window, { startsAt: open.startsAt, endsAt: now }));
  },
});

/** Leaves out one occurrence, by default the next. Throws 404, 422 where none begins then. */
export const skipMaintenance = verb({
  ...ofOne,
  action: "write",
  audit: "skip maintenance",
  input: withId(MaintenanceSkip),
  output: MaintenanceWindow,
  async run(ctx, { startsAt: wanted }, found) {
    const now = ctx.clock.now();
    const window = await rereadWindow(ctx, found.id);
    const at = wanted === undefined ? now : Math.max(now, Date.parse(wanted) - 1);
    const next = occurrencesOf(window).after(at);
    if (!next || (wanted !== undefined && next.startsAt !== Date.parse(wanted))) {
      throw invalidInput({ startsAt: [msg("maintenance.no_occurrence")] });
    }
    return showWindow(ctx, await except(ctx, window, { startsAt: next.startsAt, endsAt: null }));
  },
});

/** When a window would be open, before it is planned. Throws 422. */
export const previewMaintenance = verb({
  ...ofMaintenance,
  action: "read",
  input: MaintenancePreview,
  output: MaintenanceOccurrences,
  async run({ clock }, input) {
    const now = clock.now();
    const { settings, problems } = applyWindow({ ...newWindow(now), everything: true }, input, now);
    if (Object.keys(problems).length > 0) throw invalidInput(problems);
    const occurrences = occurrencesOf(settings);
    const next = nextOccurrences(occurrences, now, PREVIEWED);
    // One that is over says when it was.
    const shown = next.length > 0 ? next : nextOccurrences(occurrences, settings.startsAt, PREVIEWED);
    return { occurrences: shown.map(projectOccurrence) };
  },
});

/** Notes that one occurrence is not as planned, in the place of what was noted of it before. */
async function except(
  ctx: Parameters<typeof recordWindow>[0],
  window: StoredWindow,
  exception: Exception,
): Promise<StoredWindow> {
  const now = ctx.clock.now();
  const recent = window.exceptions.filter(({ startsAt }) => startsAt !== exception.startsAt);
  const exceptions = [...recent, exception]
    .toSorted((a, b) => a.startsAt - b.startsAt)
    .slice(-MAX_EXCEPTIONS);
  const changed = { ...window, exceptions };
  const overAt = occurrencesOf(changed).end();
  await saveWindow(ctx.db, { ...changed, overAt }, now);
  announceWindow(ctx, window.id);
  await recordWindow(ctx, window);
  return rereadWindow(ctx, window.id);
}
