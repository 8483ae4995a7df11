import { type Static } from "typebox";
import { invalidInput } from "../../errors.ts";
import { fact } from "../../texts/fact.ts";
import { type LookInput, MAX_CSS_BYTES } from "../../wire/page-look.ts";
import type { LookSettings } from "./look.ts";
import { readCss } from "./read-css.ts";

/** A look with what is given of another one. Throws 422, for a style sheet with what is wrong line by line. */
export function changedLook(base: LookSettings, input: Static<typeof LookInput> = {}): LookSettings {
  const { theme = base.theme, accent = base.accent, languages = base.languages } = input;
  const { footer = base.footer, css = base.css } = input;
  if (input.css !== undefined) assertAllowed(css);
  return { theme, languages, css, accent: accent?.toLowerCase() ?? null, footer: footer.trim() };
}

function assertAllowed(css: string): void {
  const problems =
    Buffer.byteLength(css) > MAX_CSS_BYTES
      ? [fact("page.css_large", { limit: MAX_CSS_BYTES / 1024 })]
      : readCss(css).problems;
  if (problems.length > 0) throw invalidInput({ "appearance.css": problems });
}
