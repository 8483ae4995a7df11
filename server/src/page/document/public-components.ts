import { percentile } from "../../result/histogram.ts";
import { bucketStart } from "../../result/range.ts";
import type { StatusChange } from "../../status/uptime.ts";
import type { Db } from "../../store/db.ts";
import type { ComponentState } from "../../store/queries/public-pages.ts";
import { readRollups } from "../../store/queries/rollups.ts";
import type { PageComponent, PageGroup } from "../../store/queries/status-page-components.ts";
import { statusHistory } from "../../store/queries/transitions.ts";
import { inGroups } from "../contents/arrangement.ts";
import { type CalendarDay, measuredSince, publicDays, uptimeOverDays } from "./days.ts";
import type { MeasuredStatus, PublicComponent, PublicGroup, PublicIncident } from "./public-page.ts";
import { componentStatus, groupStatus, MEASURED_STATUS_OF, reportedStatus } from "./rules.ts";

const HOUR_SECONDS = 3_600;
const HOUR_MS = HOUR_SECONDS * 1000;
const HOURS = 24;

/** What is read of the time that a page shows. */
export interface Span {
  now: number;
  days: readonly CalendarDay[];
}

/** A component by its monitor alone. */
type MeasuredComponent = PublicComponent & { status: MeasuredStatus };

/** The components as they are measured, in the same order. */
export async function publicComponents(
  db: Db,
  components: readonly PageComponent[],
  states: ReadonlyMap<number, ComponentState>,
  span: Span,
): Promise<MeasuredComponent[]> {
  const monitorIds = components.map(({ monitorId }) => monitorId);
  const histories = await statusHistory(db, monitorIds, span.days[0]?.from ?? span.now, span.now);
  const medians = await hourlyMedians(db, components, span.now);
  return components.map((component) => {
    const { monitorId, uuid, displayName: name, description, showsDays, showsUptime } = component;
    const history = histories.get(monitorId) ?? [];
    const state = states.get(monitorId);
    const status = state ? componentStatus(state) : "unknown";
    return {
      ...{ uuid, name, description, status, incidents: [] },
      since: sinceWhen(status, state, { history, from: span.days[0]?.from ?? span.now }),
      uptime: showsUptime ? uptimeOverDays(history, span.days, span.now) : null,
      measuredSince: showsUptime ? measuredSince(history, span.days) : null,
      days: showsDays ? publicDays(history, span.days, span.now) : null,
      responseTimes: medians.get(monitorId) ?? null,
    };
  });
}

/** The same with what people report of them; `reported`: the open incidents. */
export const withReported = (
  components: readonly MeasuredComponent[],
  reported: readonly PublicIncident[],
): PublicComponent[] =>
  components.map((component) => {
    const own = reported.filter((one) => one.components.some(({ uuid }) => uuid === component.uuid));
    const status = reportedStatus(
      component.status,
      own.map(({ impact }) => impact),
    );
    const causes = own.filter(({ impact }) => reportedStatus("unknown", [impact]) === status);
    const since =
      status === component.status ? component.since : Math.min(...causes.map(({ startedAt }) => startedAt));
    return { ...component, status, since, incidents: own.map(({ uuid }) => uuid) };
  });

/** Since when it is what it is: as the history shows it or, where that began before, as the state has it. */
function sinceWhen(
  status: MeasuredStatus,
  state: ComponentState | undefined,
  { history, from }: { history: readonly StatusChange[]; from: number },
): number | null {
  let since: number | null = null;
  for (const { at, ...change } of history.toReversed()) {
    const was = change.maintenance ? "maintenance" : MEASURED_STATUS_OF[change.status];
    if (was !== (status === "paused" ? "unknown" : status)) return since;
    since = at;
  }
  if (since === null || since > from) return since;
  const isSteady = status !== "maintenance" && state !== undefined && state.statusSince !== null;
  return isSteady ? Math.min(since, state.statusSince as number) : null;
}

/** By monitor, of those components that show them. */
async function hourlyMedians(
  db: Db,
  components: readonly PageComponent[],
  now: number,
): Promise<Map<number, NonNullable<PublicComponent["responseTimes"]>>> {
  const monitorIds = components.flatMap((one) => (one.showsResponseTimes ? one.monitorId : []));
  if (monitorIds.length === 0) return new Map();
  const from = bucketStart(now, HOUR_SECONDS) - (HOURS - 1) * HOUR_MS;
  const points = await readRollups(db, {
    ...{ monitorIds, from, to: now + 1, periodSeconds: HOUR_SECONDS },
    groupBy: "monitor_bucket",
    histograms: true,
  });
  const medians = new Map(
    points.map(({ monitorId, bucketAt, histogram }) => [
      `${monitorId} ${bucketAt}`,
      percentile(histogram, 50),
    ]),
  );
  const hours = Array.from({ length: HOURS }, (_, hour) => from + hour * HOUR_MS);
  return new Map(
    monitorIds.map((id) => [
      id,
      hours.map((at) => ({ at, ms: wholeMs(medians.get(`${id} ${at}`) ?? null) })),
    ]),
  );
}

/** Buckets of a histogram are 4 % wide: more digits would be none. */
const wholeMs = (us: number | null): number | null =>
  us === null ? null : Math.max(1, Math.round(us / 1000));

/** The groups with their components; first, where there are any, those without one. Empty groups are not shown. */
export function publicGroups(
  page: { uuid: string },
  groups: readonly PageGroup[],
  components: readonly (PublicComponent & { groupId: number | null })[],
): PublicGroup[] {
  return inGroups(groups, components).map(({ group, items }) => {
    const { uuid, name, isCollapsed } = group ?? { uuid: page.uuid, name: null, isCollapsed: false };
    const status = groupStatus(items.map((one) => one.status));
    return { uuid, name, isCollapsed, status, components: items.map(({ groupId: _, ...one }) => one) };
  });
}
