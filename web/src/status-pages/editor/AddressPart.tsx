import { useTranslation } from "react-i18next";
import type { StatusPage } from "../../api/status-pages.ts";
import { Section } from "../../components/Card.tsx";
import { CopyableText, CopyButton } from "../../components/CopyButton.tsx";
import { addressOf } from "../SlugField.tsx";

/** Where visitors find a page, and what other pages and programs can show of it. */
export function AddressPart({ page }: { page: StatusPage }) {
  const { t } = useTranslation("status-pages/editor");
  const address = addressOf(page);
  const badge = `[![${page.name}](${address}/badge/status.svg)](${address})`;
  const widget = `<script async src="${address}/widget.js" data-theme="auto"></script>`;
  const snippets = [
    ["address", address],
    ["badge", badge],
    ["widget", widget],
    ["atom", `${address}/feed.atom`],
    ["rss", `${address}/feed.rss`],
    ["json", `${address}/feed.json`],
    ["calendar", `${address}/maintenance.ics`],
    ["api", `${address}/api/v2/summary.json`],
  ] as const;
  const shown = snippets.filter(([name]) => isOfUse(name, page));
  return (
    <Section title={t("snippet.title")}>
      <Limits page={page} />
      <dl className="grid gap-4 px-4 pb-5">
        {shown.map(([name, text]) => (
          <div key={name} className="grid gap-1.5">
            <dt className="text-sm font-medium">{t(`snippet.${name}`)}</dt>
            <dd className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-2">
              <CopyableText>{text}</CopyableText>
              <CopyButton variant="quiet" value={text} of={t(`snippet.${name}`)} />
            </dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}

type Access = Pick<StatusPage, "isPublic" | "hasPassword" | "allowedNetworks">;

/** Programs can send a password; what stands on other people's pages cannot, and nothing but a member's browser signs in. */
function isOfUse(name: string, { isPublic, hasPassword }: Access): boolean {
  if (!isPublic) return name === "address";
  return !hasPassword || (name !== "badge" && name !== "widget");
}

/** What the page's access takes from its links. */
function Limits({ page: { isPublic, hasPassword, allowedNetworks } }: { page: Access }) {
  const { t } = useTranslation("status-pages/editor");
  const limits = isPublic
    ? [
        ...(hasPassword ? [t("snippet.withPassword")] : []),
        ...(allowedNetworks.length > 0 ? [t("snippet.fromNetworks")] : []),
      ]
    : [t("snippet.forMembers")];
  return limits.map((limit) => (
    <p key={limit} className="px-4 pb-3 text-sm text-pretty text-ink-muted">
      {limit}
    </p>
  ));
}
