import { timeZoneProblem } from "../access/caller.ts";
import type { MessageDescriptor } from "../i18n/message.ts";
import { colorProblem } from "./contrast.ts";
import { cronProblem } from "./cron.ts";
import { hostProblem, networkProblem, serverNameProblem } from "./host.ts";
import { nameProblem, slugProblem, tagProblem } from "./name.ts";
import { recurrenceProblem } from "./recurrence.ts";
import { baseUrlProblem, normaliseUrl, webUrlProblem } from "./url.ts";

/** Part of validation, so that such a field is reported together with all the others. */
export const WORDED_FORMATS = {
  "monitor-url": (text) => {
    const result = normaliseUrl(text);
    return result.ok ? null : result.problem;
  },
  "web-url": webUrlProblem,
  "base-url": baseUrlProblem,
  host: hostProblem,
  "server-name": serverNameProblem,
  name: nameProblem,
  tag: tagProblem,
  "time-zone": timeZoneProblem,
  cron: cronProblem,
  recurrence: recurrenceProblem,
  slug: slugProblem,
  network: networkProblem,
  color: colorProblem,
} as const satisfies Record<string, (text: string) => MessageDescriptor | null>;

/** Null when the format is not one of ours or nothing is wrong. */
export const formatProblem = (format: string, text: string): MessageDescriptor | null =>
  Object.hasOwn(WORDED_FORMATS, format) ? WORDED_FORMATS[format as keyof typeof WORDED_FORMATS](text) : null;

const SOME_TIME = Temporal.Instant.fromEpochMilliseconds(0);

/** A time zone as the IANA database writes its name: any case is taken, and no other is stored. */
export const ianaName = (timeZone: string): string => SOME_TIME.toZonedDateTimeISO(timeZone).timeZoneId;
