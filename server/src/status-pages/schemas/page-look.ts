import { type Static, Type } from "typebox";
import { optional, usual } from "../../monitors/schemas/monitor-input.ts";
import { accentContrast, USUAL_LOOK } from "../../platform/formats/contrast.ts";
import { LANGUAGES } from "../../platform/i18n/render.ts";
import {
  MessageSchema,
  nullable,
  oneOf,
  sentenceOf,
  Timestamp,
  timestampOrNull,
  withId,
} from "../../platform/operations/field.ts";
import { type DomainFinding, domainState, proofOf } from "../domain/domain-rules.ts";
import type { PageDomain } from "../queries/page-domains.ts";
import type { StatusPage } from "../queries/status-pages.ts";

/** Keeps pages small. */
export const MAX_CSS_BYTES = 16 * 1024;
export const MAX_LOGO_BYTES = 256 * 1024;
/** Holds the largest logo as base64. */
export const LOGO_BODY_BYTES = 384 * 1024;

const text = (maxLength: number, description: string, example: string) =>
  Type.String({ maxLength, pattern: "^[^\\u0000]*$", description, examples: [example], ...usual("") });

const look = {
  theme: oneOf(["auto", "light", "dark"], {
    description: "`auto`: as each visitor's device is set. Default: auto.",
    ...usual(USUAL_LOOK.theme),
  }),
  accent: nullable(
    Type.String({ format: "color", examples: ["#0b6e4f"], ...usual(null) }),
    "The color of links and of the line above the page, `#rrggbb`; null: Vedette's. Where texts in it could not be read they are darker or lighter.",
  ),
  footer: text(
    2_000,
    "Markdown, below everything else: text, links, lists. HTML in it is text, pictures are links. Default: empty.",
    "[Imprint](https://example.org/imprint)",
  ),
  css: text(
    MAX_CSS_BYTES,
    "A style sheet of the page's own, at most 16 kB. It can load nothing: no `@import`, no `@font-face`, of addresses only pictures within it (`data:image/…`). 422 names every line that is not allowed. Default: empty.",
    ".overall { border-radius: 0 }",
  ),
  languages: Type.Array(oneOf(LANGUAGES), {
    maxItems: LANGUAGES.length,
    uniqueItems: true,
    description:
      "Those that visitors can choose; the first is for those who choose none of them. Empty: all. Default: empty.",
    examples: [["en", "de"]],
    ...usual([]),
  }),
};

export const LookInput = Type.Object(optional(look), { title: "StatusPageAppearanceInput" });

const ratio = (theme: string) =>
  Type.Number({ minimum: 1, maximum: 21, description: `On the ${theme} page.`, examples: [5.94] });

export const PageLook = Type.Object(
  {
    ...{ theme: look.theme, accent: look.accent, footer: Type.String(), css: Type.String() },
    languages: Type.Array(oneOf(LANGUAGES)),
    logoUrl: nullable(
      Type.String({ examples: ["/status/example/logo?v=q83vEjRWeJA"] }),
      "The path of the logo, another one after each change; null: there is none.",
    ),
    contrast: nullable(
      Type.Object({ light: ratio("light"), dark: ratio("dark") }, { title: "AccentContrast" }),
      "How well the accent is seen (WCAG 2.2). Below 4.5 texts have a darker or lighter shade of it instead. Null: no accent is set.",
    ),
  },
  { title: "StatusPageAppearance" },
);

export const LogoInput = withId(
  Type.Object(
    {
      content: Type.String({
        minLength: 1,
        maxLength: LOGO_BODY_BYTES,
        pattern: "^[A-Za-z0-9+/]+={0,2}$",
        contentEncoding: "base64",
        description:
          "The picture itself in base64: PNG, JPEG, WebP, GIF or SVG, at most 256 kB and 4,096 pixels on each side. An SVG may hold no scripts and nothing from elsewhere.",
        examples: ["R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw=="],
      }),
    },
    { title: "StatusPageLogo" },
  ),
);

const DnsRecord = Type.Object(
  {
    type: oneOf(["CNAME", "A", "AAAA", "TXT"], {
      description:
        "What to set. Where a name cannot have a CNAME, A and AAAA records with the same addresses do as well.",
    }),
    name: Type.String({ examples: ["status.example.org"] }),
    value: Type.String({ examples: ["vedette.example.net"] }),
    isFound: Type.Boolean({ description: "Whether the last look found what is needed." }),
    found: Type.Array(Type.String(), { description: "What it found, as far as it matters here." }),
    problem: nullable(
      Type.String({ examples: ["There is no TXT record _vedette.status.example.org yet."] }),
      "What is wrong; null: nothing, or it was not checked yet.",
    ),
    problemFact: MessageSchema,
  },
  { title: "StatusPageDnsRecord" },
);

export const DomainCheck = nullable(
  Type.Object(
    {
      state: oneOf(["pending", "verified", "wrong"], {
        description:
          "`verified`: the page is served there. `wrong`: the DNS says something else than what is needed. `pending`: it says nothing yet.",
      }),
      isServed: Type.Boolean({
        description:
          "Whether visitors get the page there. Once verified, it stays so for three days after the DNS has changed.",
      }),
      checkedAt: nullable(Timestamp, "Null: it has not been checked yet."),
      records: Type.Array(DnsRecord, { description: "What has to be set in the DNS." }),
    },
    { title: "StatusPageDomain" },
  ),
  "How far its own domain is; null: none is set.",
);

export function projectLook({ slug, look: set, logo }: StatusPage): Static<typeof PageLook> {
  const { theme, accent, footer, css, languages } = set;
  return {
    ...{ theme, accent, footer, css, languages },
    logoUrl: logo === null ? null : `/status/${slug}/logo?v=${logo}`,
    contrast:
      accent === null
        ? null
        : { light: accentContrast(accent, "light"), dark: accentContrast(accent, "dark") },
  };
}

/** `ownHost`: the installation's. */
export function projectDomain(
  { uuid, customDomain }: StatusPage,
  claim: PageDomain | undefined,
  ownHost: string,
): Static<typeof DomainCheck> {
  if (!claim) return null;
  const { host, findings } = claim;
  const isServed = customDomain === host;
  const proof = proofOf({ host, uuid });
  return {
    ...{ state: domainState({ ...claim, isServed }), isServed, checkedAt: timestampOrNull(claim.checkedAt) },
    records: [
      { type: typeFor(ownHost), name: host, value: ownHost, ...projectFinding(findings?.points) },
      { type: "TXT", name: proof.record, value: proof.value, ...projectFinding(findings?.proof) },
    ],
  };
}

const typeFor = (host: string) => {
  if (host.includes(":")) return "AAAA";
  return /^[\d.]+$/.test(host) ? "A" : "CNAME";
};

const projectFinding = (finding: DomainFinding | undefined) => ({
  isFound: finding !== undefined && finding.problem === null,
  found: finding?.found ?? [],
  problem: sentenceOf(finding?.problem),
  problemFact: finding?.problem ?? null,
});
