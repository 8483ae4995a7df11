import { type Static, Type } from "typebox";
import { MAX_TAG_LENGTH, MAX_TAGS } from "../../platform/formats/name.ts";
import { MONITOR_KINDS } from "../../platform/monitor-defaults.ts";
import {
  IdText,
  nullable,
  oneOf,
  Timestamp,
  timestamp,
  timestampOrNull,
  Uuid,
} from "../../platform/operations/field.ts";
import { createdSort, PageQuery } from "../../platform/operations/paging.ts";
import { nextOccurrences, type Occurrence, occurrencesOf } from "../maintenance/occurrences.ts";
import type { MaintenanceWindow as StoredWindow } from "../queries/maintenance-windows.ts";
import { optional, usual } from "./monitor-input.ts";

const WINDOW_STATES = ["upcoming", "active", "past"] as const;
const MAX_DURATION_SECONDS = 30 * 86_400;
const MAX_MONITORS = 1_000;
/** Of a window that is listed without a time. */
const SHOWN_OCCURRENCES = 5;
/** Of a window in the time requested. */
const MAX_OCCURRENCES = 400;

const Time = (description: string) =>
  Type.String({ format: "date-time", description, examples: ["2026-11-29T01:00:00.000Z"] });

/** What may be set of a window. */
const fields = {
  title: nullable(
    Type.String({ format: "name", examples: ["Database upgrade"] }),
    "1 to 255 characters; status pages show it. Null: none, and people read “Maintenance work” in their own language. Default: null.",
  ),
  description: Type.String({
    maxLength: 10_000,
    pattern: "^[^\\u0000]*$",
    description: "What is done, for people to read; status pages show it. Default: empty.",
    ...usual(""),
  }),
  startsAt: Time(
    "When it begins; of a recurring window, the earliest time and the time of day. Default: now.",
  ),
  duration: Type.Integer({
    minimum: 60,
    maximum: MAX_DURATION_SECONDS,
    description: "Seconds, a minute to 30 days; not longer than the time to the next one.",
    examples: [3600],
  }),
  timeZone: Type.String({
    format: "time-zone",
    maxLength: 64,
    description:
      "The time zone in which a recurring window keeps its time of day, an IANA name. Default: UTC.",
    examples: ["Europe/Berlin"],
    ...usual("UTC"),
  }),
  recurrence: nullable(
    Type.String({ format: "recurrence", maxLength: 500, examples: ["FREQ=WEEKLY;BYDAY=SU"] }),
    "When it recurs, as a rule of RFC 5545 without DTSTART: FREQ (DAILY, WEEKLY, MONTHLY, YEARLY), INTERVAL, COUNT, UNTIL, BYDAY, BYMONTHDAY, BYMONTH, BYHOUR, BYSETPOS, WKST. Null: once.",
  ),
  until: nullable(
    Type.String({ format: "date-time" }),
    "Of a recurring window: no occurrence begins at this time or later. Null: no such end.",
  ),
  everything: Type.Boolean({
    description: "For all monitors of the organization, those added later too. Default: false.",
    ...usual(false),
  }),
  tags: Type.Array(Type.String({ maxLength: MAX_TAG_LENGTH, format: "tag" }), {
    maxItems: MAX_TAGS,
    description: "For monitors with at least one of these tags.",
    ...usual([]),
  }),
  monitorIds: Type.Array(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }), {
    maxItems: MAX_MONITORS,
    uniqueItems: true,
    description: "For these domains, services and devices, by their ids.",
    ...usual([]),
    examples: [[7]],
  }),
};

/** POST /api/maintenance. */
export const MaintenanceCreate = Type.Object(
  { ...optional(fields), duration: fields.duration },
  { title: "MaintenanceCreate" },
);

/** PUT /api/maintenance/{id}: any subset. */
export const MaintenanceUpdate = Type.Object(optional(fields), { title: "MaintenanceUpdate" });

const OccurrenceJson = Type.Object(
  { startsAt: Timestamp, endsAt: Timestamp },
  { title: "MaintenanceOccurrence" },
);

/** POST /api/maintenance/preview. */
export const MaintenancePreview = Type.Object(
  {
    startsAt: Type.Optional(fields.startsAt),
    duration: fields.duration,
    timeZone: Type.Optional(fields.timeZone),
    recurrence: Type.Optional(fields.recurrence),
    until: Type.Optional(fields.until),
  },
  { title: "MaintenancePreview" },
);

export const MaintenanceOccurrences = Type.Object(
  { occurrences: Type.Array(OccurrenceJson, { description: "The next five." }) },
  { title: "MaintenanceOccurrences" },
);

/** POST /api/maintenance/{id}/skip. */
export const MaintenanceSkip = Type.Object(
  {
    startsAt: Type.Optional(Time("When the occurrence would begin. Default: the next one.")),
  },
  { title: "MaintenanceSkip" },
);

/** GET /api/maintenance. */
export const MaintenanceQuery = Type.Object({
  ...PageQuery,
  sort: createdSort("Default: what is open now first, then what is next, then what is over."),
  state: Type.Optional(oneOf(WINDOW_STATES, { description: "Active: open now. Past: never open again." })),
  monitor: Type.Optional(
    Type.Unsafe<string>({
      ...IdText,
      description: "Only windows that cover this domain, service or device. Id or uuid.",
    }),
  ),
  from: Type.Optional(Time("With `to`: only those that are open between the two, with when. Default: now.")),
  to: Type.Optional(Time("Default: 31 days after `from`; at most 366.")),
});

export const MaintenanceWindow = Type.Object(
  {
    id: Type.Integer({ examples: [3] }),
    uuid: Uuid,
    title: fields.title,
    description: Type.String(),
    state: oneOf(WINDOW_STATES, { description: "Active: open now. Past: never open again." }),
    startsAt: Timestamp,
    duration: fields.duration,
    timeZone: Type.String({ examples: ["Europe/Berlin"] }),
    recurrence: fields.recurrence,
    until: nullable(Timestamp, "None begins at this time or later; null: no such end."),
    everything: fields.everything,
    tags: Type.Array(Type.String()),
    monitors: Type.Array(
      Type.Object({
        id: Type.Integer({ examples: [7] }),
        uuid: Uuid,
        kind: oneOf(MONITOR_KINDS),
        name: Type.String({ examples: ["Shop"] }),
      }),
      { description: "The domains, services and devices that it names." },
    ),
    openUntil: nullable(Timestamp, "When it ends, while it is active."),
    nextAt: nullable(Timestamp, "When it begins the next time."),
    occurrences: Type.Array(OccurrenceJson, {
      description:
        "In the time from `from` to `to`, at most 400, and fewer where there are more than ten windows; else the next five.",
    }),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  { title: "MaintenanceWindow" },
);

export type MaintenanceInput = Partial<Static<typeof MaintenanceCreate>>;
type Monitors = Static<(typeof MaintenanceWindow)["properties"]["monitors"]>;

export interface TimeSpan {
  from: number;
  to: number;
}

export const projectOccurrence = ({ startsAt, endsAt }: Occurrence) => ({
  startsAt: timestamp(startsAt),
  endsAt: timestamp(endsAt),
});

/** When a window is shown, and which of its occurrences: at most `most` of those in `span`, or the next five. */
interface Shown {
  now: number;
  span: TimeSpan | null;
  most: number;
}

function shownOccurrences(window: StoredWindow, { now, span, most }: Shown): Occurrence[] {
  const occurrences = occurrencesOf(window);
  if (span) return occurrences.between(span.from, span.to, Math.min(MAX_OCCURRENCES, most));
  return nextOccurrences(occurrences, now, SHOWN_OCCURRENCES);
}

/** What a window is at `now`. */
export function windowState(window: StoredWindow, now: number) {
  const occurrences = occurrencesOf(window);
  const open = occurrences.openAt(now);
  const next = occurrences.after(now);
  const state = open ? ("active" as const) : next ? ("upcoming" as const) : ("past" as const);
  return { state, openUntil: open?.endsAt ?? null, nextAt: next?.startsAt ?? null };
}

/** A window at `now`. */
export function projectWindow(
  window: StoredWindow,
  monitors: Monitors,
  shown: Shown,
): Static<typeof MaintenanceWindow> {
  const { state, openUntil, nextAt } = windowState(window, shown.now);
  return {
    id: window.id,
    uuid: window.uuid,
    title: window.title === "" ? null : window.title,
    description: window.description,
    state,
    startsAt: timestamp(window.startsAt),
    duration: window.durationMs / 1000,
    timeZone: window.timeZone,
    recurrence: window.recurrence,
    until: timestampOrNull(window.until),
    everything: window.everything,
    tags: [...window.tags],
    monitors,
    openUntil: timestampOrNull(openUntil),
    nextAt: timestampOrNull(nextAt),
    occurrences: shownOccurrences(window, shown).map(projectOccurrence),
    createdAt: timestamp(window.createdAt),
    updatedAt: timestamp(window.updatedAt),
  };
}
