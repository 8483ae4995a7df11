import { ExternalLink } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Domain } from "../../api/monitor-list.ts";
import { SiteIcon } from "../../pages/monitor/list/SiteIcon.tsx";
import { MonitorsPage } from "../../pages/monitor/MonitorsPage.tsx";
import type { ListOfKind } from "../descriptor.ts";
import { monitorKinds } from "../kinds.ts";
import { AddDomainForm } from "./AddDomainForm.tsx";
import type english from "./en.json";
import { shortUrl } from "./short-url.ts";

declare module "../../i18n/texts.ts" {
  interface PageTexts {
    "kinds/domain": typeof english;
  }
}

const list: ListOfKind = {
  kind: monitorKinds.domain,
  counted: true,
  bulk: true,
  icon: (domain) => <SiteIcon domain={domain} />,
  address: ({ name, url }: Domain) => (shortUrl(url) === name ? null : <UrlLink url={url} />),
  add: (isAlone) => <AddDomainForm autoFocus={isAlone} />,
};

/** The domains. */
export const DomainsPage = () => <MonitorsPage list={list} />;

function UrlLink({ url }: { url: string }) {
  const { t } = useTranslation("kinds/domain");
  return (
    <a
      href={url}
      target="_blank"
      rel="noreferrer"
      title={t("open", { url })}
      className="group relative z-1 flex w-fit max-w-full items-center gap-1 rounded-sm text-xs text-ink-faint hover:text-ink"
    >
      <span className="truncate">{shortUrl(url)}</span>
      <ExternalLink aria-hidden className="size-3 shrink-0 opacity-0 group-hover:opacity-100" />
    </a>
  );
}
