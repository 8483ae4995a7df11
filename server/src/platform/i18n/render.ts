import type { MessageDescriptor } from "./message.ts";

/** How a language writes days (`2026-11-21`), times (ISO 8601), durations (milliseconds) and percentages. */
export interface Formats {
  day(day: string): string;
  time(time: string): string;
  /** `before`: what the sentence says in front of it, by which some languages inflect. */
  duration(ms: number, before?: string): string;
  percent(value: number): string;
  plural(count: number): "one" | "other";
}

const SLOT = /\{( ?)(\w+)(?::(\w+))?\}/g;

const HAN = /\p{Script=Han}/u;
const LATIN = /[\p{Script=Latin}\p{N}%]/u;

/** What fills a slot between these characters, with a space where a Chinese one meets a letter or a digit. */
export function apart(before = "", said: string, after = ""): string {
  const left = HAN.test(before) && LATIN.test(said[0] ?? "") ? " " : "";
  const right = HAN.test(after) && LATIN.test(said.at(-1) ?? "") ? " " : "";
  return left + said + right;
}

/** Free text (a code ending in `text`) stays as it is; a code unknown to this version is named. */
export function renderMessage(
  texts: Readonly<Partial<Record<string, string>>>,
  message: MessageDescriptor,
  formats: Formats,
): string {
  const { code, params = {}, because, also = [] } = message;
  const textOf = (one: string) => (Object.hasOwn(texts, one) ? (texts[one] ?? null) : null);
  const fill = (text: string): string =>
    text.replaceAll(SLOT, (slot, space: string, name: string, kind: string | undefined, at: number) => {
      const before = text.slice(0, at) + space;
      const said = fillSlot(name, kind, before);
      return said === "" ? "" : space + apart(before.at(-1), said, text[at + slot.length]);
    });
  const fillSlot = (name: string, kind: string | undefined, before: string): string => {
    if (name === "because") return because ? renderMessage(texts, because, formats) : "";
    const value = params[name] ?? "";
    if (kind === "count") return fill(textOf(`${name}.${formats.plural(Number(value))}`) ?? String(value));
    if (kind === "word") return fill(textOf(`${name}.${value}`) ?? String(value));
    // A place that has no name here goes by its code.
    if (kind === "place") return textOf(`place.${value}`) ?? String(value);
    if (kind === "day" || kind === "time") return formats[kind](String(value));
    if (kind === "percent") return formats.percent(Number(value));
    return kind === "duration" ? formats.duration(Number(value), before) : String(value);
  };
  const text = textOf(code);
  const own = text === null ? String(params.text ?? code) : fill(text);
  return [own, ...also.map((one) => renderMessage(texts, one, formats))].reduce(nextSentence);
}

/** Chinese has no space between its sentences. */
const nextSentence = (text: string, next: string): string =>
  text + (/[。！？]$/.test(text) ? "" : " ") + next;
