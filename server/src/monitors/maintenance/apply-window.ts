import type { Context } from "../../platform/context.ts";
import type { FieldErrors } from "../../platform/errors.ts";
import { ianaName } from "../../platform/formats/formats.ts";
import { cleanTags } from "../../platform/formats/name.ts";
import { cleanRecurrence } from "../../platform/formats/recurrence.ts";
import { msg } from "../../platform/i18n/message.ts";
import { inSlices } from "../../platform/turns.ts";
import { listCoverable, type WindowSettings } from "../queries/maintenance-windows.ts";
import type { MaintenanceInput } from "../schemas/maintenance.ts";
import type { ActiveWindows } from "./active-windows.ts";
import { type Exception, leastGapMs, occurrencesOf } from "./occurrences.ts";

/** What decides when a window is open. */
const SCHEDULE = ["startsAt", "durationMs", "timeZone", "recurrence", "until"] as const;

/** From now, either way: rules are followed over that time. */
export const MAX_AWAY_MS = 10 * 366 * 86_400_000;

/** A window before anything is said about it. */
export const newWindow = (now: number): WindowSettings => ({
  title: "",
  description: "",
  startsAt: now,
  durationMs: 0,
  timeZone: "UTC",
  recurrence: null,
  until: null,
  exceptions: [],
  everything: false,
  tags: [],
  monitorIds: [],
});

const timeOf = (text: string): number => Date.parse(text);

/** `base` with `input` applied: the settings, and what is wrong with them by field. Single fields hold already. */
export function applyWindow(
  base: WindowSettings,
  input: MaintenanceInput,
  now: number,
): { settings: WindowSettings; problems: FieldErrors } {
  const { title, startsAt, duration, recurrence, until, tags } = input;
  const settings: WindowSettings = {
    ...base,
    ...(title !== undefined && { title: title?.trim() ?? "" }),
    ...(input.description !== undefined && { description: input.description.trim() }),
    ...(startsAt !== undefined && { startsAt: timeOf(startsAt) }),
    ...(duration !== undefined && { durationMs: duration * 1000 }),
    ...(input.timeZone !== undefined && { timeZone: ianaName(input.timeZone) }),
    ...(recurrence !== undefined && { recurrence: recurrence === null ? null : cleanRecurrence(recurrence) }),
    ...(until !== undefined && { until: until === null ? null : timeOf(until) }),
    ...(input.everything !== undefined && { everything: input.everything }),
    ...(tags !== undefined && { tags: cleanTags(tags) }),
    ...(input.monitorIds !== undefined && { monitorIds: input.monitorIds }),
  };
  // Sent back as it was, no exception changes.
  if (isReplanned(settings, base)) settings.exceptions = exceptionsOf(settings, base, now);
  const isFar = startsAt !== undefined && Math.abs(settings.startsAt - now) > MAX_AWAY_MS;
  const planned = isFar ? { startsAt: [msg("maintenance.far")] } : scheduleProblems(settings);
  return { settings, problems: { ...scopeProblems(settings), ...planned } };
}

/** The same for what is stored: a window for one time that is over would never be open. */
export function planWindow(
  base: WindowSettings,
  input: MaintenanceInput,
  now: number,
): ReturnType<typeof applyWindow> {
  const { settings, problems } = applyWindow(base, input, now);
  const isOver = settings.recurrence === null && settings.startsAt + settings.durationMs <= now;
  if (!isOver || !isReplanned(settings, base)) return { settings, problems };
  const field = settings.startsAt === base.startsAt ? "duration" : "startsAt";
  return { settings, problems: { [field]: [msg("maintenance.past")], ...problems } };
}

/**
 * The exceptions of what is planned anew. What was ended early opens again; what is skipped stays skipped, also while it would be
 * open, or would be again for a longer time, and where the new plan of a window that recurs lets it begin at another time.
 */
function exceptionsOf(settings: WindowSettings, base: WindowSettings, now: number): readonly Exception[] {
  const isOpenNow = ({ startsAt, endsAt }: Exception) =>
    endsAt === null && startsAt <= now && now < startsAt + base.durationMs;
  const current = base.exceptions.find(isOpenNow);
  const remaining = base.exceptions.filter(({ startsAt, endsAt }) => startsAt > now || endsAt === null);
  const open = current && occurrencesOf({ ...settings, exceptions: remaining }).openAt(now);
  if (!open || settings.recurrence === null) return remaining;
  return [...remaining, { startsAt: open.startsAt, endsAt: null }].toSorted(
    (a, b) => a.startsAt - b.startsAt,
  );
}

/** Whether it is open at other times than before. */
const isReplanned = (settings: WindowSettings, before: WindowSettings): boolean =>
  SCHEDULE.some((name) => settings[name] !== before[name]);

const scopeProblems = ({ everything, tags, monitorIds }: WindowSettings): FieldErrors =>
  everything || tags.length > 0 || monitorIds.length > 0 ? {} : { monitorIds: [msg("maintenance.nothing")] };

/** What is wrong with when a window is open. */
function scheduleProblems(settings: WindowSettings): FieldErrors {
  const { until, startsAt, durationMs } = settings;
  if (until !== null && until <= startsAt) return { until: [msg("maintenance.until")] };
  if (occurrencesOf({ ...settings, exceptions: [] }).after(startsAt - 1) === null)
    return { recurrence: [msg("maintenance.never")] };
  const gapMs = leastGapMs(settings);
  return gapMs !== null && durationMs > gapMs
    ? { duration: [msg("maintenance.overlap", { gap: gapMs })] }
    : {};
}

/** Locked together, for as long as their histories are written. */
const SLICE = 200;
/** Once in a while everything is compared, in case an event was missed. */
const FULL_LOOK_MS = 60_000;

/** What a process does about windows that begin and end. */
export interface FollowedWindows {
  /** Windows were changed, by whichever process. */
  changed(): void;
  /** Lets monitors enter and leave windows whose time has come. Throws the store's error. */
  look(): Promise<void>;
}

/**
 * Lets monitors enter and leave windows. Every process does it, and finds under the monitors' locks whether another
 * one has done it already; what began or ended while none ran is found by the first look.
 */
export function followWindows(
  ctx: Context,
  windows: ActiveWindows,
  crossed: (monitorId: number) => void,
): FollowedWindows {
  let isChanged = true;
  let seen: string | null = null;
  let lookedAt = 0;
  return {
    changed() {
      isChanged = true;
    },
    async look() {
      if (isChanged) {
        isChanged = false;
        await windows.reload().catch((error: unknown) => {
          isChanged = true;
          throw error;
        });
        seen = null;
      }
      const now = ctx.clock.now();
      const { organizationIds, fingerprint } = windows.openAt(now);
      if (fingerprint === seen && Math.abs(now - lookedAt) < FULL_LOOK_MS) return;
      const candidates = await listCoverable(ctx.store.db, organizationIds);
      const wrong = candidates.filter((monitor) => windows.until(monitor, now) !== monitor.maintenanceUntil);
      const ids = wrong.map(({ monitorId }) => monitorId);
      await inSlices(ids, SLICE, (part) => ctx.dataPath.crossWindows(ctx, windows, part));
      for (const id of ids) crossed(id);
      seen = fingerprint;
      lookedAt = now;
    },
  };
}
