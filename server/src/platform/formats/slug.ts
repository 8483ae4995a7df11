import { type MessageDescriptor, msg } from "../i18n/message.ts";

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
