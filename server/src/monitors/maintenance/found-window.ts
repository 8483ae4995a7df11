import type { Static } from "typebox";
import { findAnywhere, mayRead } from "../../platform/access/check-access.ts";
import { appendEvents } from "../../platform/database/events.ts";
import { findOwner } from "../../platform/database/sql.ts";
import { type FieldErrors, invalidInput, notFound } from "../../platform/errors.ts";
import { msg } from "../../platform/i18n/message.ts";
import { projectWindowChange, WINDOW_EVENT } from "../../platform/live-events.ts";
import { parseId, readId } from "../../platform/operations/field.ts";
import type { Before, Running } from "../../platform/operations/operation.ts";
import { mapInTurns } from "../../platform/turns.ts";
import {
  findWindow,
  listWindows,
  readCoverable,
  readWindowMonitors,
  type MaintenanceWindow as StoredWindow,
  type WindowSettings,
} from "../queries/maintenance-windows.ts";
import { findMonitors } from "../queries/monitors.ts";
import {
  type MaintenanceQuery,
  type MaintenanceWindow,
  projectWindow,
  type TimeSpan,
  windowState,
} from "../schemas/maintenance.ts";
import { covers } from "./active-windows.ts";
import { MAX_AWAY_MS } from "./apply-window.ts";
import { occurrencesOf } from "./occurrences.ts";

const DAY_MS = 86_400_000;
const MAX_SPAN_DAYS = 366;
const USUAL_SPAN_DAYS = 31;
/** An organization has at most 200 that are not over; of the others the newest are listed. */
const MAX_LISTED = 1_000;
/** Of all windows of a calendar together, and of each of them at least. */
const MAX_OCCURRENCES = 4_000;
const LEAST_OCCURRENCES = 5;
/** A rule that seldom comes true takes a while. */
const AT_A_TIME = 1;
/** So many monitors are named in the audit log for a window without a title. */
const MAX_NAMED = 3;

/** For a verb's `find`: the window that an id means, wherever the caller may act. Throws 404. */
export const findWindowMeant = (ctx: Before, { id }: { id: string }) => {
  const { db } = ctx.store;
  const ref = parseId(id);
  const find = (organizationId: number) => findWindow(db, organizationId, ref);
  return findAnywhere(ctx, find, () => findOwner(db, "maintenance_windows", ref));
};

/** What was found, locked for a change as it is now. Throws 404 if it has been deleted since. */
export async function rereadWindow({ db, caller }: Running, id: number): Promise<StoredWindow> {
  const window = await findWindow(db, caller.organizationId, { id }, { lock: true });
  if (!window) throw notFound();
  return window;
}

/** The settings with the end that follows from them. Throws 422 with everything that is wrong. */
export async function checkedSettings(
  ctx: Running,
  { settings, problems }: { settings: WindowSettings; problems: FieldErrors },
): Promise<WindowSettings & { overAt: number | null }> {
  const refs = settings.monitorIds.map((id) => ({ id }));
  const { organizationId } = ctx.caller;
  const known = await findMonitors(ctx.db, { organizationId, refs });
  const named = new Set(known.filter(mayRead(ctx)).map(({ id }) => id));
  for (const id of settings.monitorIds) {
    if (!named.has(id)) (problems.monitorIds ??= []).push(msg("maintenance.monitor", { id }));
  }
  if (Object.keys(problems).length > 0) throw invalidInput(problems);
  return { ...settings, overAt: occurrencesOf(settings).end() };
}

type Query = Static<typeof MaintenanceQuery>;

/** The windows that fit, in the order of their lists, and the time requested. Throws 422, 404 for the monitor. */
export async function readWindows(
  ctx: Running,
  query: Query,
): Promise<{ windows: StoredWindow[]; span: TimeSpan | null }> {
  const { db, caller, clock } = ctx;
  const now = clock.now();
  const span = spanOf(query, now);
  const monitor = query.monitor === undefined ? null : await monitorMeant(ctx, query.monitor);
  const listed = await listWindows(db, caller.organizationId, MAX_LISTED);
  const withState = (window: StoredWindow) => ({
    window,
    ...windowState(window, now),
    isInSpan: span === null || occurrencesOf(window).between(span.from, span.to, 1).length > 0,
  });
  const all = await mapInTurns(listed, withState, AT_A_TIME);
  const fitting = all.filter(
    ({ window, state, isInSpan }) =>
      isInSpan &&
      (query.state === undefined || state === query.state) &&
      (monitor === null || covers(window, monitor)),
  );
  const rank = { active: 0, upcoming: 1, past: 2 };
  const soonest = ({ openUntil, nextAt, window }: (typeof all)[number]) =>
    openUntil ?? nextAt ?? -(window.overAt ?? 0);
  // As they are read the newest is first, and `pageOf` turns them round.
  const sorted =
    query.sort === undefined
      ? fitting.toSorted((a, b) => rank[a.state] - rank[b.state] || soonest(a) - soonest(b))
      : fitting;
  return { windows: sorted.map(({ window }) => window), span };
}

function spanOf({ from, to }: Query, now: number): TimeSpan | null {
  if (from === undefined && to === undefined) return null;
  const begin = from === undefined ? now : Date.parse(from);
  const end = to === undefined ? begin + USUAL_SPAN_DAYS * DAY_MS : Date.parse(to);
  // Beyond that nothing can be planned, and far beyond it there are no times that the API could write.
  if (end - now > MAX_AWAY_MS + MAX_SPAN_DAYS * DAY_MS) {
    throw invalidInput({ [from === undefined ? "to" : "from"]: [msg("maintenance.far")] });
  }
  if (end <= begin) throw invalidInput({ to: [msg("maintenance.until")] });
  if (end - begin > MAX_SPAN_DAYS * DAY_MS) {
    throw invalidInput({ to: [msg("maintenance.span", { days: MAX_SPAN_DAYS })] });
  }
  return { from: begin, to: end };
}

async function monitorMeant(ctx: Running, text: string) {
  const ref = readId(text);
  const { organizationId } = ctx.caller;
  const [found] = ref ? await findMonitors(ctx.db, { organizationId, refs: [ref] }) : [];
  const [monitor] = found && mayRead(ctx)(found) ? await readCoverable(ctx.db, [found.id]) : [];
  if (!monitor) throw invalidInput({ monitor: [msg("maintenance.monitor", { id: text })] });
  return monitor;
}

/** Windows at present, with the names of the monitors that their reader may read. */
export async function showWindows(
  ctx: Running,
  windows: readonly StoredWindow[],
  span: TimeSpan | null = null,
): Promise<Static<typeof MaintenanceWindow>[]> {
  const now = ctx.clock.now();
  const ids = [...new Set(windows.flatMap(({ monitorIds }) => monitorIds))];
  const monitors = (await readWindowMonitors(ctx.db, ids)).filter(mayRead(ctx));
  const most = Math.max(LEAST_OCCURRENCES, Math.floor(MAX_OCCURRENCES / Math.max(1, windows.length)));
  const shown = (window: StoredWindow) => {
    const own = new Set(window.monitorIds);
    const named = monitors.filter(({ id }) => own.has(id));
    return projectWindow(window, named, { now, span, most });
  };
  return mapInTurns(windows, shown, AT_A_TIME);
}

/** One window at present. */
export async function showWindow(ctx: Running, window: StoredWindow) {
  const [shown] = await showWindows(ctx, [window]);
  if (!shown) throw notFound();
  return shown;
}

/** Says in the audit log which window it was: by its title, else by the monitors that it names. */
export async function recordWindow(
  { db, record }: Running,
  { id, title, monitorIds }: Pick<StoredWindow, "id" | "title" | "monitorIds">,
): Promise<void> {
  const monitors = title === "" ? await readWindowMonitors(db, monitorIds) : [];
  const names = monitors.slice(0, MAX_NAMED).map(({ name }) => name);
  if (monitors.length > names.length) names.push("…");
  record({ id, name: title || names.join(", ") || null });
}

/** Announces a change: to the engines, which follow the windows, and to clients. */
export function announceWindow({ db, caller, clock, live, after }: Running, windowId: number): void {
  const { organizationId } = caller;
  const payload = projectWindowChange(windowId);
  appendEvents(db, [{ organizationId, type: WINDOW_EVENT, payload }], clock.now());
  after(() => live.wake());
}
