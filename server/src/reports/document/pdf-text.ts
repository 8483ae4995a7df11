import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

type Pdf = PDFKit.PDFDocument;

/** A piece of a text that one font has. */
interface Run {
  font: string;
  text: string;
}

interface TextOptions {
  weight?: Weight;
  size: number;
  colour: string;
  /** Points; what does not fit ends in an ellipsis. Text at the end is made a little smaller before that. */
  width?: number;
  /** So is this. */
  isWhole?: boolean;
  align?: "start" | "end";
}

/** What no font has. */
const MISSING = "\u25a1";

/** Writes texts of any script on the pages of a document, each character in the first font that has it. */
export interface PdfText {
  /** Writes one line with its upper left corner there (points). */
  write(text: string, x: number, y: number, options: TextOptions): void;
  /** The same in as many lines as it takes; gives the height. */
  writeLines(text: string, x: number, y: number, options: TextOptions & { width: number }): number;
}

/** For a document; `fonts` of each weight, in the order in which they are tried. */
export function pdfText(pdf: Pdf, fonts: Readonly<Record<Weight, readonly PdfFont[]>>): PdfText {
  const registered = new Set<string>();
  const use = ({ name, file }: PdfFont): string => {
    if (!registered.has(name)) pdf.registerFont(name, file);
    registered.add(name);
    return name;
  };
  const fontFor = remember((character: string, weight: Weight): [font: string, shown: string] => {
    const own = fonts[weight];
    const found = own.find(({ has }) => has(character.codePointAt(0) as number));
    return found ? [use(found), character] : [use(own.at(-1) as PdfFont), MISSING];
  });
  // Shaping a text is most of the work, and the same numbers come again and again.
  const widthAtOne = remember(
    (text: string, font: string) => pdf.font(font).fontSize(1000).widthOfString(text) / 1000,
  );
  const runsOf = (text: string, weight: Weight): Run[] =>
    runsIn(text, (character) => fontFor(character, weight));
  const widthOf = (runs: readonly Run[], size: number) =>
    runs.reduce((sum, { font, text }) => sum + size * widthAtOne(text, font), 0);
  const write: PdfText["write"] = (text, x, y, options) => {
    const { weight = "regular", colour, width, align = "start" } = options;
    const wanted = widthOf(runsOf(text, weight), options.size);
    const size = align === "end" || options.isWhole ? fittedSize(wanted, options) : options.size;
    const fits = (part: string) =>
      width === undefined || widthOf(runsOf(part, weight), size) <= width + ROUNDING;
    const runs = runsOf(shortened(text, fits), weight);
    let at = align === "end" && width !== undefined ? x + width - widthOf(runs, size) : x;
    for (const { font, text: part } of runs) {
      pdf.font(font).fontSize(size).fillColor(colour);
      // From the base line, so that fonts of several heights share one.
      pdf.text(part, at, y + size, { lineBreak: false, baseline: "alphabetic" });
      at += size * widthAtOne(part, font);
    }
  };
  return {
    write,
    writeLines(text, x, y, options) {
      const { weight = "regular", size, width } = options;
      const lines = wrapped(cleaned(text), (part) => widthOf(runsOf(part, weight), size) <= width);
      for (const [at, line] of lines.entries()) write(line, x, y + at * size * LINE, options);
      return lines.length * size * LINE;
    },
  };
}

/** A text in pieces of one font each. */
function runsIn(text: string, fontFor: (character: string) => [font: string, shown: string]): Run[] {
  const runs: Run[] = [];
  for (const character of cleaned(text)) {
    const [font, shown] = fontFor(character);
    const last = runs.at(-1);
    if (last?.font === font) last.text += shown;
    else runs.push({ font, text: shown });
  }
  return runs;
}

const LINE = 1.4;
/** Points; what was made to fit does so, though a sum of its parts is a bit more. */
const ROUNDING = 0.01;
/** Points; what is smaller cannot be read on paper. */
const LEAST_SIZE = 6.5;

/** The size at which a text of that width fits: a figure that is cut is another figure, a little smaller it is the same. */
function fittedSize(taken: number, { size, width }: TextOptions): number {
  if (width === undefined || taken <= width) return size;
  return Math.max((size * width) / taken, Math.min(size, LEAST_SIZE));
}

/** The same function, which computes nothing twice. */
function remember<Kind extends string, Value>(
  compute: (text: string, kind: Kind) => Value,
): (text: string, kind: Kind) => Value {
  const known = new Map<string, Value>();
  return (text, kind) => {
    const key = `${kind} ${text}`;
    const value = known.get(key) ?? compute(text, kind);
    known.set(key, value);
    return value;
  };
}

/** Without what cannot be printed: control characters, and what turns the direction of other text. */
const cleaned = (text: string): string =>
  text.toWellFormed().replaceAll(/[\p{Cc}\u202a-\u202e\u2066-\u2069]+/gu, " ");

/** The longest beginning that fits, with an ellipsis where it is not all. */
function shortened(text: string, fits: (part: string) => boolean): string {
  if (fits(text)) return text;
  const characters = [...text];
  let [least, most] = [0, characters.length];
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    if (fits(`${characters.slice(0, middle).join("")}…`)) least = middle;
    else most = middle - 1;
  }
  return `${characters.slice(0, least).join("").trimEnd()}…`;
}

/** Lines that break between words, and within what is written without spaces. */
function wrapped(text: string, fits: (part: string) => boolean): string[] {
  const lines: string[] = [];
  let line = "";
  for (const { segment } of new Intl.Segmenter(undefined, { granularity: "word" }).segment(text)) {
    if (line !== "" && !fits(line + segment)) {
      lines.push(line.trimEnd());
      line = "";
    }
    line += line === "" ? segment.trimStart() : segment;
  }
  return [...lines, line.trimEnd()];
}

type Weight = "regular" | "bold";

/** A font of a document, and what it has. */
interface PdfFont {
  /** Once in a document. */
  name: string;
  file: string;
  has(codePoint: number): boolean;
}

const require = createRequire(import.meta.url);
const WEIGHTS = { regular: { inter: 400, han: "Regular" }, bold: { inter: 600, han: "Bold" } } as const;
const SUBSETS = ["latin", "latin-ext", "cyrillic", "cyrillic-ext", "greek", "greek-ext", "vietnamese"];

/** The ranges of `U+0460-052F,U+20B4`. */
function rangesOf(text: string): [from: number, to: number][] {
  return text.split(",").map((range) => {
    const [from = "0", to = from] = range.replace("U+", "").split("-");
    return [Number.parseInt(from, 16), Number.parseInt(to, 16)];
  });
}

/**
 * The fonts of a weight, the first that has a character is used: Inter, which the app has too, and for whatever it has not
 * (Chinese, kana …) Noto Sans, which is read only then.
 */
export function fontsOf(weight: Weight): PdfFont[] {
  const inter = dirname(require.resolve("@fontsource/inter/package.json"));
  const unicode = JSON.parse(readFileSync(join(inter, "unicode.json"), "utf8")) as Record<string, string>;
  const { inter: number, han } = WEIGHTS[weight];
  const own = SUBSETS.map((subset) => {
    const ranges = rangesOf(unicode[subset] ?? "");
    return {
      name: `${weight} ${subset}`,
      file: join(inter, "files", `inter-${subset}-${number}-normal.woff`),
      has: (codePoint: number) => ranges.some(([from, to]) => from <= codePoint && codePoint <= to),
    };
  });
  const noto = dirname(dirname(require.resolve("@embedpdf/fonts-sc")));
  const file = join(noto, "fonts", `NotoSansHans-${han}.otf`);
  return [...own, { name: `${weight} han`, file, has: isHan }];
}

/** What Noto Sans has beyond Inter: GB 2312, kana, signs and full forms. */
const isHan = (codePoint: number): boolean =>
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u2000-\u206f\u2100-\u27bf\u3000-\u303f\uff00-\uffef]/u.test(
    String.fromCodePoint(codePoint),
  );
