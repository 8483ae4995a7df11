import type { Static } from "typebox";
import { ianaName } from "../account/iana-name.ts";
import { invalidInput } from "../errors.ts";
import type { PageSettings } from "../store/queries/status-pages.ts";
import { fact } from "../texts/fact.ts";
import { type LookInput, MAX_CSS_BYTES } from "../wire/page-look.ts";
import type { StatusPageInput } from "../wire/status-pages.ts";
import { normalNetworks } from "./access/networks.ts";
import { type LookSettings, USUAL_LOOK } from "./look/look.ts";
import { readCss } from "./look/read-css.ts";
import { plainSettings, USUAL_PLAIN } from "./plain-settings.ts";

/** Of a page of which nothing is said; but a name and a slug always are. */
export const USUAL_SETTINGS: PageSettings = {
  ...USUAL_PLAIN,
  passwordHash: null,
  allowedNetworks: [],
  look: USUAL_LOOK,
};

/** `base` with what is given. `passwordHash`: of the password that is given, if one is. */
export function applyInput(
  base: PageSettings,
  input: StatusPageInput,
  passwordHash: string | null = base.passwordHash,
): PageSettings {
  const { name, description, timeZone, ...plain } = plainSettings({ ...base, ...input });
  const { allowedNetworks } = input;
  return {
    ...{ ...plain, passwordHash, timeZone: ianaName(timeZone) },
    ...{ name: name.trim(), description: description.trim() },
    allowedNetworks: allowedNetworks ? normalNetworks(allowedNetworks) : base.allowedNetworks,
    look: changedLook(base.look, input.appearance),
  };
}

/** A look with what is given of another one. Throws 422, for a style sheet with what is wrong line by line. */
function changedLook(base: LookSettings, input: Static<typeof LookInput> = {}): LookSettings {
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
