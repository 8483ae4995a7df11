import { ExternalLink } from "lucide-react";
import { useTranslation } from "react-i18next";
import { shortUrl } from "./domain/short-url.ts";

/** A link out of the app to the site that is watched; `inList`: above the row's own link, its mark only when pointed at. */
export function SiteLink({ url, inList = false }: { url: string; inList?: boolean }) {
  const { t } = useTranslation("monitors");
  const look = inList ? "relative z-1 text-xs text-ink-faint" : "text-sm text-ink-muted";
  const mark = inList ? "opacity-0 group-hover:opacity-100" : "text-ink-faint group-hover:text-ink";
  return (
    <a
      href={url}
      target="_blank"
      rel="noreferrer"
      title={t("openSite", { url })}
      className={`group flex w-fit max-w-full min-w-0 items-center gap-1 rounded-sm hover:text-ink ${look}`}
    >
      <span className="truncate">{shortUrl(url)}</span>
      <ExternalLink aria-hidden className={`size-3 shrink-0 ${mark}`} />
    </a>
  );
}
