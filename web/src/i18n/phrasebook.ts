/** The server's sentences, which are English, and what they are in another language; `{{…}}` stands for what varies. */
export type Phrasebook = Readonly<Record<string, string>>;

/** Hold a phrase of the book themselves, where the book has it; what stands for any other varies and is kept. */
const nested = new Set(["what", "why", "field", "ended", "unfit", "range", "operator"]);
const placeholder = /\{\{(\w+)\}\}/g;
const sentencesKept = 500;

interface Pattern {
  expression: RegExp;
  names: string[];
  translation: string;
}

/** Makes the function that says a sentence of the server's with the book's words; one it lacks stays as it came. */
export function interpreterOf(book: Phrasebook): (sentence: string) => string {
  const patterns = patternsOf(book);
  const known = new Map<string, string>();
  const interpret = (sentence: string): string => {
    if (Object.hasOwn(book, sentence)) return book[sentence] ?? sentence;
    const before = known.get(sentence);
    if (before !== undefined) return before;
    const found = patterns.find(({ expression }) => expression.test(sentence));
    const said = found ? fillIn(found, sentence, interpret) : sentence;
    if (known.size >= sentencesKept) known.clear();
    known.set(sentence, said);
    return said;
  };
  return interpret;
}

/** The wordier first: `must be at least {{limit}}` before `must be {{what}}`. */
function patternsOf(book: Phrasebook): Pattern[] {
  const words = (phrase: string) => phrase.replaceAll(placeholder, "").length;
  return Object.entries(book)
    .filter(([phrase]) => phrase.includes("{{"))
    .toSorted(([one], [other]) => words(other) - words(one))
    .map(([phrase, translation]) => ({
      expression: new RegExp(`^${phrase.split(placeholder).map(partOf).join("")}$`, "s"),
      names: [...phrase.matchAll(placeholder)].map(([, name]) => name ?? ""),
      translation,
    }));
}

/** Split at its placeholders, a phrase is words and names by turns. */
const partOf = (part: string, at: number): string =>
  at % 2 === 1 ? "(.+?)" : part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");

function fillIn(
  { expression, names, translation }: Pattern,
  sentence: string,
  interpret: (part: string) => string,
) {
  const values = expression.exec(sentence)?.slice(1) ?? [];
  /** Also a sentence of the book that stands after a colon, and so begins in lower case. */
  const interpretPart = (part: string): string => {
    const said = interpret(part);
    if (said !== part) return said;
    const whole = part.charAt(0).toUpperCase() + part.slice(1);
    const wholeSaid = interpret(whole);
    return wholeSaid === whole ? part : wholeSaid;
  };
  return translation.replaceAll(placeholder, (_whole, name: string) => {
    const value = values[names.indexOf(name)] ?? "";
    return nested.has(name) ? interpretPart(value) : value;
  });
}
