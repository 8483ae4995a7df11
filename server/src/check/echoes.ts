import { MASK } from "../texts/masked.ts";

/** So much of a secret in a row is taken for the secret: servers quote it cut off. */
const RECOGNISED = 12;
/** What is shorter stands in every text by chance. */
const SHORTEST = 4;

/** Letters of one case, whatever a server makes of them; the length stays. */
const folded = (text: string) => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());

const percent = (text: string, unreserved: RegExp) =>
  [...Buffer.from(text, "utf8")]
    .map((byte) => {
      const letter = String.fromCharCode(byte);
      return unreserved.test(letter) ? letter : `%${byte.toString(16).padStart(2, "0")}`;
    })
    .join("");

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
    percent(text, /[A-Za-z0-9\-_.!~*'()]/),
    percent(text, /[A-Za-z0-9\-_.~]/),
    percent(text, /[A-Za-z0-9\-_.*]/).replaceAll("%20", "+"),
    text.replace(/[&<>"']/g, (letter) => HTML[letter] ?? letter),
    ...base64,
    ...base64.map((one) => one.replaceAll("+", "-").replaceAll("/", "_")),
  ];
}

/**
 * Puts a mask where a text quotes one of these secrets: as it is, in any letter case, cut off after a dozen characters, or
 * as JSON, HTML, URLs, hex and base64 write it.
 */
export function maskEchoes(secrets: readonly string[]): (text: string) => string {
  const known = secrets.filter((secret) => secret.length >= SHORTEST);
  const forms = [...new Set(known.flatMap(formsOf).map(folded))].filter((form) => form.length >= SHORTEST);
  return (text) => {
    const plain = folded(text);
    const spans = forms.flatMap((form) => spansOf(plain, form)).sort((a, b) => a.from - b.from);
    let shown = "";
    let at = 0;
    for (const { from, to } of spans) {
      if (from >= at) shown += text.slice(at, from) + MASK;
      at = Math.max(at, to);
    }
    return shown + text.slice(at);
  };
}

interface Span {
  from: number;
  to: number;
}

/** Where a text has the form, or the beginning of it. */
function spansOf(text: string, form: string): Span[] {
  const start = form.slice(0, RECOGNISED);
  const spans: Span[] = [];
  for (let from = text.indexOf(start); from >= 0; from = text.indexOf(start, from + 1)) {
    let length = start.length;
    while (length < form.length && text[from + length] === form[length]) length += 1;
    spans.push({ from, to: from + length });
  }
  return spans;
}
