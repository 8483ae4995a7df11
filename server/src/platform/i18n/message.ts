import type { en } from "./en.ts";

type English = typeof en;

export type Code = keyof English;

export type Texts = Readonly<Record<Code, string>>;

export type Params = Readonly<Record<string, string | number>>;

/** A text's code, and what fills it in. Days and times are ISO 8601 (UTC), durations milliseconds. */
export interface MessageDescriptor<Known extends string = string> {
  code: Known;
  /** Absent where the text needs none. */
  params?: Params;
  /** What it comes from, where that is a message of its own. */
  because?: MessageDescriptor;
  /** What holds beside it and is said after it, the most important first. */
  also?: MessageDescriptor[];
}

type Slots<Text> = Text extends `${string}{${infer Slot}}${infer Rest}` ? Bare<Slot> | Slots<Rest> : never;
type Bare<Slot> = Slot extends ` ${infer Name}` ? Name : Slot;
type NameOf<Slot> = Slot extends `${infer Name}:${string}` ? Name : Slot & string;
export type SlotNames<Text> = NameOf<Slots<Text>>;
type MessageNameOf<Slot> = Slot extends `${infer Name}:message` ? Name : never;
/** Those of them that take a message of its own. Only mails have any (notifications/en.ts). */
export type MessageSlotNames<Text> = MessageNameOf<Slots<Text>>;
type WordCode<Slot> = Slot extends `${infer Name}:word` ? Extract<Code, `${Name}.${string}`> : never;
type ValueOf<Slot> = Slot extends `${infer Name}:word`
  ? Code extends infer One
    ? One extends `${Name}.${infer Word}`
      ? Word
      : never
    : never
  : string | number;
type Named<Slot> = { [Own in Exclude<Slot, "because"> as NameOf<Own>]: ValueOf<Own> };
type OfWords<Slot> = Slots<English[WordCode<Slot>]>;

/** What fills in the text of a code, and those of the words in it. */
export type ParamsOf<Known extends Code> = Named<Slots<English[Known]>> &
  Partial<Named<OfWords<Slots<English[Known]>> | OfWords<OfWords<Slots<English[Known]>>>>>;

const MAX_PARAM_LENGTH = 500;
const MAX_EXCERPT_LENGTH = 80;

/** A character cut in two is replaced: PostgreSQL takes no half of a surrogate pair. */
const beginning = (text: string, maxLength: number) => text.slice(0, maxLength).toWellFormed();

/** Foreign text without anything that a terminal or a log would obey, and of a bounded length. */
const cleaned = (text: string, maxLength: number) =>
  withoutUnseen(beginning(text, maxLength).replace(/[^\x20-\x7e\u00a0-\u{10ffff}]/gu, "\ufffd"));

/** Foreign text of several lines: each as `cleaned` has it. */
export const cleanedLines = (text: string): string =>
  text
    .replaceAll("\t", "  ")
    .split("\n")
    .map((line) => cleaned(line, line.length))
    .join("\n");

/** Line protocols end what they say with a line break, which is nothing to show. */
const onOneLine = (text: string) => text.replace(/[\t\r\n]+/g, " ").trim();

const cleanedLine = (text: string) =>
  cleaned(onOneLine(beginning(text, 8 * MAX_EXCERPT_LENGTH)), 8 * MAX_EXCERPT_LENGTH);

/** How much of a text is looked at for secrets: that may take as many steps as both are long. */
const MAX_MASKED_LENGTH = 16_384;

/** Without secrets, and without what the end may have left of one. */
function maskedBeginning(text: string, secrets: readonly string[]): string {
  const shown = masked(text.slice(0, MAX_MASKED_LENGTH), secrets);
  if (text.length <= MAX_MASKED_LENGTH) return shown;
  const longest = Math.max(0, ...secrets.map(({ length }) => length));
  return shown.slice(0, Math.max(0, shown.length - longest));
}

/**
 * On one line, without these secrets, also where dropped characters would make them appear. A body may be a
 * megabyte of such characters.
 */
export function excerpt(text: string, secrets: readonly string[] = []): string {
  const clean = masked(cleanedLine(maskedBeginning(text, secrets)), secrets.map(cleanedLine));
  return clean.length > MAX_EXCERPT_LENGTH ? `${beginning(clean, MAX_EXCERPT_LENGTH)}…` : clean;
}

/** Params are cleaned and bounded here, whatever their source. */
export function msg<Known extends Code>(
  code: Known,
  ...[params]: keyof ParamsOf<Known> extends never ? [] : [params: ParamsOf<Known>]
): MessageDescriptor<Known> {
  if (params === undefined) return { code };
  const own = Object.entries<string | number | undefined>(params).flatMap(([name, value]) =>
    value === undefined
      ? []
      : [[name, typeof value === "string" ? cleaned(value, MAX_PARAM_LENGTH) : value] as const],
  );
  return { code, params: Object.fromEntries(own) };
}

/** Older versions wrote a sentence and its class of reasons: a message with that text as its only param. */
export function readStoredMessage(
  stored: MessageDescriptor | string | null | undefined,
  reasonClass?: string | null,
): MessageDescriptor | null {
  if (typeof stored !== "string") return stored ?? null;
  return { code: reasonClass ? `${reasonClass}.text` : "text", params: { text: stored.toWellFormed() } };
}

export const parseMessage = (json: string | null): MessageDescriptor | null =>
  json === null ? null : readStoredMessage(JSON.parse(json));

export const messageJson = (message: MessageDescriptor | null | undefined): string | null =>
  message ? JSON.stringify(message) : null;

export const MASK = "********";

/** The text with a mask instead of each of these secrets; but for what a mask itself has in it. */
export function masked(text: string, secrets: readonly string[]): string {
  const found = new Set(secrets.filter((secret) => !MASK.includes(secret) && text.includes(secret)));
  if (found.size === 0) return text;
  const longestFirst = [...found].sort((a, b) => b.length - a.length);
  const pattern = longestFirst.map((secret) => secret.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")).join("|");
  return text.replace(new RegExp(pattern, "g"), MASK);
}

/**
 * Without invisible characters that turn the text around them, such as U+202E. The joiners of emoji and of
 * Persian and Indic scripts stay.
 */
export const withoutUnseen = (text: string): string => text.replace(/(?![\u200c\u200d])\p{Cf}/gu, "");
