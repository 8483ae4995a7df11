import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

type Pdf = PDFKit.PDFDocument;

/** A part of a text in one font. */
interface Run {
  font: string;
  text: string;
}

interface TextOptions {
  weight?: Weight;
  size: number;
  colour: string;
  /** Points; longer text ends in an ellipsis, right-aligned text shrinks a little before that. */
  width?: number;
  /** Shrinks, too. */
  isWhole?: boolean;
  align?: "start" | "end";
}

/** For characters that no font has. */
const MISSING = "\u25a1";

/** Text of any script: each character in the first font that has it. */
export interface PdfText {
  /** `x`, `y`: the upper left corner, points. */
  write(text: string, x: number, y: number, options: TextOptions): void;
  /** Wraps; returns the height. */
  writeLines(text: string, x: number, y: number, options: TextOptions & { width: number }): number;
}

/** `fonts`: in the order in which they are tried. */
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
  // Shaping is most of the work, and numbers recur.
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
      // Baseline-aligned, since fonts differ in height.
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
/** Points; fitted text may exceed the width by rounding. */
const ROUNDING = 0.01;
/** Points; the smallest readable on paper. */
const LEAST_SIZE = 6.5;

/** A shrunk number is still the same number, a cut one is not. */
function fittedSize(taken: number, { size, width }: TextOptions): number {
  if (width === undefined || taken <= width) return size;
  return Math.max((size * width) / taken, Math.min(size, LEAST_SIZE));
}

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

/** Without control and bidi characters. */
const cleaned = (text: string): string =>
  text.toWellFormed().replaceAll(/[\p{Cc}\u202a-\u202e\u2066-\u2069]+/gu, " ");

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

/** Breaks between words, and within text without spaces. */
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

interface PdfFont {
  /** Unique in a document. */
  name: string;
  file: string;
  has(codePoint: number): boolean;
}

const require = createRequire(import.meta.url);
const WEIGHTS = { regular: { inter: 400, han: "Regular" }, bold: { inter: 600, han: "Bold" } } as const;
const SUBSETS = ["latin", "latin-ext", "cyrillic", "cyrillic-ext", "greek", "greek-ext", "vietnamese"];

function rangesOf(text: string): [from: number, to: number][] {
  return text.split(",").map((range) => {
    const [from = "0", to = from] = range.replace("U+", "").split("-");
    return [Number.parseInt(from, 16), Number.parseInt(to, 16)];
  });
}

/**
 * In the order in which they are tried: Inter, as in the app, then Noto Sans for other scripts (Chinese, kana
 * …), loaded only when needed.
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

/** Noto Sans's part: GB 2312, kana, signs and full-width forms. */
const isHan = (codePoint: number): boolean =>
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u2000-\u206f\u2100-\u27bf\u3000-\u303f\uff00-\uffef]/u.test(
    String.fromCodePoint(codePoint),
  );
