import { currentTimeZone } from "../i18n/format.ts";

/** The clock alone, where the day stands beside it: "09:31". */
export const clockWords = (at: number, language: string): string =>
  new Intl.DateTimeFormat(language, {
    ...{ hour: "2-digit", minute: "2-digit", timeZone: currentTimeZone() },
  }).format(at);

/** A span within a day: "09:31–10:15". Intl would name both days of one that ends at midnight. */
export const hoursInWords = (fromMs: number, toMs: number, language: string): string =>
  [fromMs, toMs].map((at) => clockWords(at, language)).join("–");
