import type { Fact } from "./fact.ts";

/** How a language writes days (`2026-11-21`), times (ISO 8601), durations (milliseconds) and percentages. */
export interface Formats {
  day(day: string): string;
  time(time: string): string;
  duration(ms: number): string;
  percent(value: number): string;
  /** Which form a number takes. */
  plural(count: number): "one" | "other";
}

const SLOT = /\{( ?)(\w+)(?::(\w+))?\}/g;

/**
 * Says a fact in a language. What somebody put in words of their own (a code ending in `text`) stays as it is, and a code
 * that this version does not know is named.
 */
export function renderFact(
  texts: Readonly<Partial<Record<string, string>>>,
  fact: Fact,
  formats: Formats,
): string {
  const { code, params = {}, because } = fact;
  const textOf = (one: string) => (Object.hasOwn(texts, one) ? (texts[one] ?? null) : null);
  const fill = (text: string): string =>
    text.replaceAll(SLOT, (_slot, space: string, name: string, kind: string | undefined) => {
      const said = fillSlot(name, kind);
      return said === "" ? "" : space + said;
    });
  const fillSlot = (name: string, kind: string | undefined): string => {
    if (name === "because") return because ? renderFact(texts, because, formats) : "";
    const value = params[name] ?? "";
    if (kind === "count") return fill(textOf(`${name}.${formats.plural(Number(value))}`) ?? String(value));
    if (kind === "word") return fill(textOf(`${name}.${value}`) ?? String(value));
    // A place that has no name here goes by its code.
    if (kind === "place") return textOf(`place.${value}`) ?? String(value);
    if (kind === "day" || kind === "time") return formats[kind](String(value));
    if (kind === "percent") return formats.percent(Number(value));
    return kind === "duration" ? formats.duration(Number(value)) : String(value);
  };
  const text = textOf(code);
  return text === null ? String(params.text ?? code) : fill(text);
}
