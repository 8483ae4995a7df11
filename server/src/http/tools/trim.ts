/** What an answer may take of a context window: some 8,000 tokens. */
const MAX_CHARACTERS = 30_000;
const MAX_TEXT = 4_000;
const LEAST_TEXT = 400;
/** No shape of ours has so many fields: what has more is a record of something that others name. */
const FEW_FIELDS = 100;

/** What was left out of an answer, and where: `*` stands for any item of a list. */
export interface LeftOut {
  at: string;
  what: "items" | "characters" | "fields";
  shown: number;
  of: number;
}

export interface Trimmed {
  value: Record<string, unknown>;
  leftOut: LeftOut[];
}

type Holder = Record<string | number, unknown>;

interface Part<T> {
  holder: Holder;
  key: string | number;
  at: string;
  value: T;
}

/**
 * An answer that fits: long texts are cut, then the longest lists and records, until it does. `value` is changed. `told`: what
 * becomes of it before it is told, where that is longer.
 */
export function trimmed(value: Record<string, unknown>, told?: (value: unknown) => unknown): Trimmed {
  const leftOut = new Map<string, LeftOut>();
  const isLong = (): boolean =>
    JSON.stringify(value).length > MAX_CHARACTERS ||
    (told !== undefined && JSON.stringify(told(value)).length > MAX_CHARACTERS);
  cutTexts(value, MAX_TEXT, leftOut);
  let limit = MAX_TEXT;
  while (isLong()) {
    if (halveLongest(value, leftOut)) continue;
    limit /= 2;
    if (limit < LEAST_TEXT) break;
    cutTexts(value, limit, leftOut);
  }
  while (isLong() && halveLargest(value, leftOut)) continue;
  return { value, leftOut: [...leftOut.values()] };
}

function cutTexts(value: Holder, limit: number, leftOut: Map<string, LeftOut>): void {
  for (const { holder, key, at, value: text } of partsOf(value)) {
    if (typeof text !== "string" || text.length <= limit) continue;
    const of = Math.max(text.length, leftOut.get(at)?.of ?? 0);
    holder[key] = text.slice(0, limit).toWellFormed();
    leftOut.set(at, { at, what: "characters", shown: limit, of });
  }
}

/** Whether there were lists to halve: the one of most items, and all that are longer than its half; their ends go. */
function halveLongest(value: Holder, leftOut: Map<string, LeftOut>): boolean {
  const lists = [...partsOf(value)].filter((part): part is Part<unknown[]> => Array.isArray(part.value));
  const most = Math.max(...lists.map((list) => list.value.length), 0);
  if (most <= 1) return false;
  const keep = Math.floor(most / 2);
  // All longer ones alike: the points of every line of a chart, the checks of every location.
  for (const { at, value: items, holder, key } of lists) {
    if (items.length <= keep) continue;
    holder[key] = items.slice(0, keep);
    leftOut.set(at, { at, what: "items", shown: keep, of: Math.max(leftOut.get(at)?.of ?? 0, items.length) });
  }
  return true;
}

/** Whether there was a record with names of its own, such as headers or labels, to halve: the one of most fields. Its first stay. */
function halveLargest(value: Holder, leftOut: Map<string, LeftOut>): boolean {
  let largest: (Part<Holder> & { names: string[] }) | undefined;
  for (const part of partsOf(value)) {
    if (part.value === null || typeof part.value !== "object" || Array.isArray(part.value)) continue;
    const names = Object.keys(part.value);
    if (names.length > (largest?.names.length ?? FEW_FIELDS))
      largest = { ...part, value: part.value as Holder, names };
  }
  if (!largest) return false;
  const { at, names, value: own } = largest;
  const keep = Math.floor(names.length / 2);
  for (const name of names.slice(keep)) delete own[name];
  leftOut.set(at, { at, what: "fields", shown: keep, of: leftOut.get(at)?.of ?? names.length });
  return true;
}

/** Everything within it, without recursion: it may be nested deeply. */
function* partsOf(whole: Holder): Generator<Part<unknown>> {
  const waiting: { holder: Holder; at: string }[] = [{ holder: whole, at: "" }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { holder, at } = next;
    for (const [name, value] of Object.entries(holder)) {
      const key = Array.isArray(holder) ? Number(name) : name;
      const place = [at, Array.isArray(holder) ? "*" : name].filter(Boolean).join(".");
      yield { holder, key, at: place, value };
      if (value !== null && typeof value === "object") waiting.push({ holder: value as Holder, at: place });
    }
  }
}
