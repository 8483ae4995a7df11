import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

export type Weight = "regular" | "bold";

/** A font of a document, and what it has. */
export interface PdfFont {
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
