import type { Static } from "typebox";
import { findMonitors } from "../monitors/queries/monitors.ts";
import { mayRead } from "../platform/access/check-access.ts";
import { invalidInput } from "../platform/errors.ts";
import { type LookSettings, USUAL_LOOK } from "../platform/formats/contrast.ts";
import { ianaName } from "../platform/formats/formats.ts";
import { normalNetworks } from "../platform/formats/host.ts";
import { msg } from "../platform/i18n/message.ts";
import { LANGUAGES, type Language } from "../platform/i18n/render.ts";
import { type Running, verb } from "../platform/operations/operation.ts";
import {
  type PlannedComponent,
  type PlannedContents,
  planContents,
  revealsTarget,
  UNKNOWN,
  whatIsChecked,
} from "./contents/contents.ts";
import type { Appearance, PublicPage } from "./document/public-page.ts";
import { readPublicPage } from "./document/read-public-page.ts";
import { findPageMeant } from "./found-page.ts";
import { readCss } from "./look/read-css.ts";
import { plainSettings, USUAL_PLAIN } from "./plain-settings.ts";
import { listComponents, type PageComponent, type PageGroup } from "./queries/status-page-components.ts";
import type { PageSettings, StatusPage } from "./queries/status-pages.ts";
import { statusPage } from "./render/pages.ts";
import { readTexts, viewOf } from "./render/view.ts";
import { type LookInput, MAX_CSS_BYTES, projectLook } from "./schemas/page-look.ts";
import { PagePreview, PreviewInput } from "./schemas/status-page-contents.ts";
import type { StatusPageInput } from "./schemas/status-pages.ts";

/** Defaults; name and slug are always given. */
export const USUAL_SETTINGS: PageSettings = {
  ...USUAL_PLAIN,
  passwordHash: null,
  allowedNetworks: [],
  look: USUAL_LOOK,
};

/** `passwordHash`: of the given password, if any. */
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

/** Throws 422; for a style sheet with an error per line. */
function changedLook(base: LookSettings, input: Static<typeof LookInput> = {}): LookSettings {
  const { theme = base.theme, accent = base.accent, languages = base.languages } = input;
  const { footer = base.footer, css = base.css } = input;
  if (input.css !== undefined) assertAllowed(css);
  return { theme, languages, css, accent: accent?.toLowerCase() ?? null, footer: footer.trim() };
}

function assertAllowed(css: string): void {
  const problems =
    Buffer.byteLength(css) > MAX_CSS_BYTES
      ? [msg("page.css_large", { limit: MAX_CSS_BYTES / 1024 })]
      : readCss(css).problems;
  if (problems.length > 0) throw invalidInput({ "appearance.css": problems });
}

/**
 * Uuids of components whose public name is an address or reveals their target; of new ones (number below 0)
 * the monitors'.
 */
async function revealingNames(ctx: Running, components: readonly PageComponent[]): Promise<string[]> {
  const { organizationId } = ctx.caller;
  const refs = components.map(({ monitorId }) => ({ id: monitorId }));
  const readable = (await findMonitors(ctx.db, { organizationId, refs })).filter(mayRead(ctx));
  const checks = await whatIsChecked(ctx.db, readable);
  return components
    .filter(({ monitorId, displayName }) => revealsTarget(displayName, checks.get(monitorId) ?? UNKNOWN))
    .map(({ id, uuid, monitorUuid }) => (id < 0 ? monitorUuid : uuid));
}

/** With a change that is not stored. Throws what the change would throw. */
export const previewStatusPage = verb({
  resource: "status-pages",
  feature: "team",
  action: "read",
  input: PreviewInput,
  output: PagePreview,
  find: findPageMeant,
  async run(ctx, { id: _, language, theme, contents, ...change }, found) {
    const { db, clock, config } = ctx;
    const page = { ...found, ...applyInput(found, change) };
    const draft = contents && shownBy(page, await planContents(ctx, page, contents));
    const reading = { now: clock.now(), publicUrl: config.publicUrl };
    const read = seenIn(await readPublicPage(db, page, reading, draft), theme);
    await readTexts(read);
    const view = viewOf(read, {
      base: `/status/${found.slug}`,
      language: languageOf(read, language),
      ...{ isChosen: false, isOld: false, isDraft: true },
    });
    const components = draft?.components ?? (await listComponents(db, [page.id]));
    return {
      html: statusPage(view).body,
      contrast: projectLook(page).contrast,
      revealing: await revealingNames(ctx, components),
    };
  },
});

function languageOf({ appearance }: PublicPage, wanted: Language | undefined): Language {
  const offered = appearance.languages.length === 0 ? LANGUAGES : appearance.languages;
  return offered.find((one) => one === wanted) ?? (offered[0] as Language);
}

/** As a visitor sees it whose system prefers that theme. */
function seenIn(page: PublicPage, theme: Exclude<Appearance["theme"], "auto"> | undefined): PublicPage {
  const { appearance } = page;
  if (theme === undefined || appearance.theme !== "auto") return page;
  return { ...page, appearance: { ...appearance, theme } };
}

/** Negative numbers for new items: unique, and not shown. */
function shownBy({ id: pageId }: StatusPage, { components, groups }: PlannedContents) {
  const shown = (own: readonly PlannedComponent[], groupId: number | null): PageComponent[] =>
    own.map((one) => ({ ...one, id: one.id ?? -one.monitorId, pageId, groupId }));
  const numbered = groups.map(({ id, ...group }, at) => ({ ...group, id: id ?? -1 - at, pageId }));
  return {
    groups: numbered satisfies PageGroup[],
    components: [
      ...shown(components, null),
      ...numbered.flatMap((group) => shown(group.components, group.id)),
    ],
  };
}
