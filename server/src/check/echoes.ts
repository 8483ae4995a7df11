import { MASK } from "../texts/masked.ts";

/** So much of a secret in a row is taken for the secret: servers quote it cut off. */
const RECOGNISED = 12;
/** What is shorter stands in every text by chance. */
const SHORTEST = 4;
/** Of a text that is shown there is no more. */
const LONGEST = 8192 + 64;

/** Letters of one case, whatever a server makes of them; the length stays. */
const folded = (text: string) => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

/** `reserved`: what is written as the bytes that UTF-8 makes of it. */
const percent = (bytes: Buffer, reserved: RegExp) =>
  bytes
    .toString("latin1")
    .replace(reserved, (byte) => `%${byte.charCodeAt(0).toString(16).padStart(2, "0")}`);

const HTML: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** What a base64 text has of these bytes wherever they stand within it: by its three alignments. */
const base64Of = (bytes: Buffer): string[] =>
  [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    return text.slice(Math.ceil((before * 4) / 3), Math.floor(((before + bytes.length) * 4) / 3));
  });

/** The forms in which a server may quote a text. */
function formsOf(text: string): string[] {
  const bytes = Buffer.from(text, "utf8");
  const json = JSON.stringify(text).slice(1, -1);
  const base64 = base64Of(bytes);
  return [
    text,
    bytes.toString("latin1"),
    bytes.toString("hex"),
    json,
    json.replaceAll("/", "\\/"),
    percent(bytes, /[^A-Za-z0-9\-_.!~*'()]/g),
    percent(bytes, /[^A-Za-z0-9\-_.~]/g),
    percent(bytes, /[^A-Za-z0-9\-_.*]/g).replaceAll("%20", "+"),
    text.replace(/[&<>"']/g, (letter) => HTML[letter] ?? letter),
    ...base64,
    ...base64.map((one) => one.replaceAll("+", "-").replaceAll("/", "_")),
  ];
}

/**
 * Puts a mask where a text quotes one of these secrets: as it is, in any letter case, cut off after a dozen characters, or
 * as JSON, HTML, URLs, hex and base64 write it. Takes a time that hardly depends on how many there are, and how alike:
 * both may be chosen to stop the checks of everybody else.
 */
export function maskEchoes(secrets: readonly string[]): (text: string) => string {
  const known = secrets
    .filter((secret) => secret.length >= SHORTEST)
    .map((secret) => secret.slice(0, LONGEST));
  const forms = [...new Set(known.flatMap(formsOf).map(folded))].filter((form) => form.length >= SHORTEST);
  const byStart = Map.groupBy(forms.sort(), (form) => form.slice(0, RECOGNISED));
  const lengths = [...new Set([...byStart.keys()].map((start) => start.length))];
  return (text) => {
    const plain = folded(text);
    let shown = "";
    let at = 0;
    for (let from = 0; from < text.length && at < text.length; from += 1) {
      const to = from + quoted(plain, from, byStart, lengths);
      if (to === from) continue;
      if (from >= at) shown += text.slice(at, from) + MASK;
      at = Math.max(at, to);
    }
    return shown + text.slice(at);
  };
}

/** How many characters from there on are a form, or the beginning of one; `byStart`: sorted. */
function quoted(
  text: string,
  from: number,
  byStart: ReadonlyMap<string, readonly string[]>,
  lengths: readonly number[],
): number {
  let most = 0;
  for (const length of lengths) {
    const forms = byStart.get(text.slice(from, from + length));
    if (forms) most = Math.max(most, longestStart(text.slice(from, from + LONGEST), forms));
  }
  return most;
}

/** How much of the text's beginning one of these forms has: one of the two between which it would stand among them. */
function longestStart(text: string, forms: readonly string[]): number {
  let [low, high] = [0, forms.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((forms[middle] as string) < text) low = middle + 1;
    else high = middle;
  }
  return Math.max(inCommon(text, forms[low - 1] ?? ""), inCommon(text, forms[low] ?? ""));
}

function inCommon(text: string, form: string): number {
  const most = Math.min(text.length, form.length);
  let length = 0;
  while (length < most && text[length] === form[length]) length += 1;
  return length;
}
