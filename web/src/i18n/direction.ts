import type { MessageDescriptor } from "../../../server/src/platform/i18n/message.ts";
import { apart } from "../../../server/src/platform/i18n/render.ts";

const LETTER = /\p{L}/u;
/** Of the scripts that are written from right to left. */
const RIGHT_TO_LEFT =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;
/** First strong isolate and pop directional isolate (UAX #9). */
const [FSI, PDI] = ["\u2068", "\u2069"];
const ISOLATES = /\u2068[^\u2069]*\u2069/gu;

/** Isolates a name within a sentence: the words around a name in the other writing direction stay in their order. */
export const isolated = (value: string): string =>
  RIGHT_TO_LEFT.test(value) ? `${FSI}${value}${PDI}` : value;

/** The first and the last character of what fills a slot, until its sentence is whole: noncharacters, which no text has. */
const [BEGIN, END] = ["\uFDD0", "\uFDD1"];
const FILLED = /(.?)\uFDD0([^\uFDD0\uFDD1]*)\uFDD1(?=(.?))/gsu;

/** What fills a slot of one of the app's texts, with its ends marked for `joined`. */
export const filled = (value: string): string =>
  BEGIN + isolated(value.replaceAll(BEGIN, "").replaceAll(END, "")) + END;

/** A sentence whose slots are filled: with a space where Chinese meets a letter or a digit in one of them. */
export const joined = (text: string): string =>
  text.replaceAll(
    FILLED,
    (_, before: string, value: string, after: string) => before + apart(before, value, after),
  );

/** The same of all that a message names. */
export const isolatedMessage = (message: MessageDescriptor): MessageDescriptor => ({
  ...message,
  ...(message.params && {
    params: Object.fromEntries(
      Object.entries(message.params).map(([name, value]) => [
        name,
        typeof value === "string" ? isolated(value) : value,
      ]),
    ),
  }),
  ...(message.because && { because: isolatedMessage(message.because) }),
  ...(message.also && { also: message.also.map(isolatedMessage) }),
});

/** Which way a title runs that may be a name, or a sentence around one: that of its first letter outside of names. */
export function directionOf(text: string): "ltr" | "rtl" {
  const own = text.replaceAll(ISOLATES, "");
  const first = [...(LETTER.test(own) ? own : text)].find((character) => LETTER.test(character));
  return first !== undefined && RIGHT_TO_LEFT.test(first) ? "rtl" : "ltr";
}
