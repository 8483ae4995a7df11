import type { MessageDescriptor } from "../../../server/src/platform/i18n/message.ts";
import { renderMessage } from "../../../server/src/platform/i18n/render.ts";
import { isolatedMessage } from "./direction.ts";
import { english } from "./english.ts";
import { formatDateTime, formatDuration, formatShare, formatUtcDay } from "./format.ts";
import type { Language } from "./languages.ts";

/** What messages say, by code, or by code and field of a form; where a code is missing, what the server sends is said. */
export type MessageTexts = Readonly<Partial<Record<string, string>>>;

/** English has the server's own texts, too: its sentences have times in UTC, next to the reader's on the page. */
export const messageTexts: Record<Language, () => Promise<MessageTexts>> = {
  en: async () => ({ ...(await import("../../../server/src/platform/i18n/en.ts")).en, ...english }),
  de: async () => (await import("../../../server/src/platform/i18n/de.ts")).de,
  zh: async () => (await import("../../../server/src/platform/i18n/zh.ts")).zh,
};

/** A message descriptor, and the sentence that the server makes of it, which is English. */
interface Said {
  sentence: string;
  message: MessageDescriptor | null | undefined;
  /** Of which field it is said, as the API names it. */
  field?: string | undefined;
}

/** A message in the language of the texts. */
export function formatMessage(texts: MessageTexts, said: Said, locale: string): string {
  const { sentence, message, field } = said;
  const code = [`${message?.code} ${field}`, message?.code ?? ""].find((key) => Object.hasOwn(texts, key));
  if (!message || code === undefined) return sentence;
  return renderMessage(texts, isolatedMessage({ ...message, code }), {
    day: (day) => formatUtcDay(day, locale),
    time: (time) => formatDateTime(time, locale),
    duration: (ms) => formatDuration(ms, locale),
    percent: (value) => formatShare(value, locale),
    plural: (count) => (new Intl.PluralRules(locale).select(count) === "one" ? "one" : "other"),
  });
}
