import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { iconQuery } from "../../api/icons.ts";
import type { Domain, Monitor } from "../../api/monitor-list.ts";
import { sparklineQuery } from "../../api/sparklines.ts";
import { monitorKinds } from "../../kinds.ts";
import type { ListOfKind } from "../descriptor.ts";
import { MonitorsPage } from "../MonitorsPage.tsx";
import { shortUrl } from "../monitor-view.ts";
import { SiteLink } from "../StatusText.tsx";
import { AddDomainForm } from "./AddDomainForm.tsx";
import type english from "./en.json";

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

export const DomainsPage = () => <MonitorsPage list={list} />;

/** The icon of a domain's site; its letter until it is known, and where there is none. */
function SiteIcon({ domain }: { domain: Monitor }) {
  const { id, name, state } = domain;
  const { data } = useQuery(sparklineQuery(monitorKinds.domain, id));
  // What is down would only be waited for.
  const isThere = state === "up" || state === "degraded";
  useQuery({ ...iconQuery(id), enabled: isThere && data?.iconDue === true });
  const [failed, setFailed] = useState("");
  const path = data?.iconUrl;
  if (path && path !== failed)
    return (
      <img
        alt=""
        src={path}
        width={16}
        height={16}
        onError={() => setFailed(path)}
        className="mt-0.5 size-4 shrink-0 rounded-xs object-contain"
      />
    );
  return (
    <span
      aria-hidden
      className="mt-0.5 grid size-4 shrink-0 place-items-center rounded-xs bg-line text-[0.625rem] leading-none font-semibold text-ink-muted"
    >
      {letterOf(name)}
    </span>
  );
}

const letterOf = (name: string): string =>
  [...name].find((character) => /[\p{L}\p{N}]/u.test(character))?.toUpperCase() ?? "•";
