import { invalidInput } from "../errors.ts";
import { type MessageDescriptor, msg } from "../i18n/message.ts";

const MAX_LENGTH = 255;
/**
 * Control characters, ends of lines, and what changes the direction of the text around a name. U+200E, U+200F
 * and U+061C do not, and Hebrew and Arabic names need them beside digits.
 */
const FORBIDDEN = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;
/** What shows nothing by itself: spaces, joiners, marks of direction, fillers, the blank of Braille, accents, half a character. */
const INVISIBLE = /[\s\p{Z}\p{Cf}\p{Cs}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** A name without space around it. Throws 422 on `field` when nothing, or more than 255 characters, is left. */
export function checkName(text: string, field = "name"): string {
  const problem = nameProblem(text);
  if (problem) throw invalidInput({ [field]: [problem] });
  return text.trim();
}

export function nameProblem(name: string): MessageDescriptor | null {
  const trimmed = name.trim();
  if (trimmed === "") return msg("input.required", { field: "name" });
  if (trimmed.replace(INVISIBLE, "") === "") return msg("name.invisible");
  if (FORBIDDEN.test(trimmed)) return msg("name.control");
  return [...trimmed].length > MAX_LENGTH ? msg("name.long", { limit: MAX_LENGTH }) : null;
}

/** Words between dots (RFC 5322 §3.2.3), of any script (RFC 6531): without quotes, and nothing that cannot be seen. */
const MAILBOX = /^[\p{L}\p{N}\p{M}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{N}\p{M}!#$%&'*+/=?^_`{|}~-]+)*$/u;
/** A part of a host's name: no hyphen at its ends. */
const LABEL = /^(?!-)[\p{L}\p{N}\p{M}_-]{1,63}(?<!-)$/u;
/** A host without a name (RFC 5321 §4.1.3), of which there may be accounts, though no mail of ours goes there. */
const LITERAL = /^\[(?:IPv6:)?[\da-f.:]+\]$/i;

export function isEmail(text: string): boolean {
  if (text.length > 254) return false;
  const [mailbox = "", host = "", ...more] = text.split("@");
  if (more.length > 0 || !MAILBOX.test(mailbox)) return false;
  return LITERAL.test(host) || host.split(".").every((label) => LABEL.test(label));
}

export const notAnEmail = () => msg("input.format", { field: "email", format: "email" });

/** The form in which accounts and invitations store an e-mail address and are found by it: trimmed, in lower case. */
export const normalizeEmail = (text: string): string => text.trim().toLowerCase();

const SLUG = /^[a-z0-9-]{3,64}$/;

/** Slugs that are addresses of their own, here or later, or could be mistaken for the installation itself. */
const RESERVED: ReadonlySet<string> = new Set(
  `about account accounts acknowledge admin administrator allowed-host api api-keys app apps assets atom auth badge badges billing blog
  cdn channels check check-domain config console contact css custom dashboard default demo devices docs domains download
  error favicon feed feeds files find health help history home hook hooks html http https icons images img incident
  incidents index info integrations invitation invitations js json legal login logo logout mail maintenance mcp media
  metrics new news notifications null oauth official openapi page pages password ping preview privacy public push register
  reports reset robots root rss search security services session sessions settings setup sign-in sign-out sign-up signin
  signout signup sitemap static stats status status-page status-pages subscribe subscribers support system team templates terms test
  tools undefined unlock unsubscribe update updates uptime user users vedette version webhook webhooks well-known widget
  www`.split(/\s+/),
);

/** Whether it is taken, the store knows. */
export function slugProblem(slug: string): MessageDescriptor | null {
  if (!SLUG.test(slug)) return msg("page.slug");
  return RESERVED.has(slug) ? msg("page.slug_reserved", { slug }) : null;
}

/** Room for a number behind it. */
const MAX_SUGGESTED = 50;
const SPELT: Readonly<Record<string, string>> = { ä: "ae", ö: "oe", ü: "ue", ß: "ss" };

/** A slug that fits the name of a page, `status` where none does; it may be reserved, or taken. */
export function slugFor(name: string): string {
  const plain = name
    .toLowerCase()
    .replace(/[äöüß]/g, (letter) => SPELT[letter] ?? "")
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, MAX_SUGGESTED)
    .replace(/^-+|-+$/g, "");
  if (plain === "") return "status";
  return plain.length < 3 ? `${plain}-status` : plain;
}

/** The limits on tags; every schema that takes tags has them from here. */
export const MAX_TAGS = 20;
/** In characters. */
export const MAX_TAG_LENGTH = 50;

/** Beside its length; null: nothing. */
export const tagProblem = (text: string): MessageDescriptor | null =>
  text.trim() === "" ? msg("tag.empty") : null;

export const cleanTags = (tags: readonly string[]): string[] => [...new Set(tags.map((tag) => tag.trim()))];
