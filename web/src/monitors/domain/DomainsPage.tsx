import type { Domain } from "../../api/monitor-list.ts";
import { monitorKinds } from "../../kinds.ts";
import type { ListOfKind } from "../descriptor.ts";
import { SiteIcon } from "../list/SiteIcon.tsx";
import { MonitorsPage } from "../MonitorsPage.tsx";
import { SiteLink } from "../SiteLink.tsx";
import { AddDomainForm } from "./AddDomainForm.tsx";
import type english from "./en.json";
import { shortUrl } from "./short-url.ts";

declare module "../../i18n/texts.ts" {
  interface PageTexts {
    "monitors/domain": typeof english;
  }
}

const list: ListOfKind = {
  kind: monitorKinds.domain,
  icon: (domain) => <SiteIcon domain={domain} />,
  address: ({ name, url }: Domain) => (shortUrl(url) === name ? null : <SiteLink url={url} inList />),
  add: (isAlone) => <AddDomainForm autoFocus={isAlone} />,
};

/** The domains. */
export const DomainsPage = () => <MonitorsPage list={list} />;
