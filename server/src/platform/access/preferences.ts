import { type MessageDescriptor, msg } from "../i18n/message.ts";

export const THEMES = ["light", "dark"] as const;

export type Theme = (typeof THEMES)[number];

/** What is wrong with the name of a time zone; null for one of the IANA database, in any case. */
export function timeZoneProblem(name: string): MessageDescriptor | null {
  // Intl also takes offsets, such as +01:00, which know no summer time.
  if (!/^[a-z]/i.test(name)) return msg("input.time_zone");
  try {
    new Intl.DateTimeFormat("en", { timeZone: name }).format();
    return null;
  } catch {
    return msg("input.time_zone");
  }
}
