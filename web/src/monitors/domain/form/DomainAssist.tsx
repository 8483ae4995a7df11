import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { normaliseUrl } from "../../../../../server/src/monitor/url.ts";
import { titleQuery } from "../../../api/page-title.ts";
import { useDebounced } from "../../../components/use-debounced.ts";
import type { FormAssist } from "../../../forms/SchemaForm.tsx";
import { hostOf } from "./host-of.ts";

const typingPauseMs = 600;

/** The page's title as a name. */
export function DomainAssist({ drafts, change }: FormAssist) {
  const { t } = useTranslation("monitors/domain/form");
  const url = (drafts["url"] as string).trim();
  const typed = useDebounced(url, typingPauseMs);
  const isAddress = typed !== "" && typed === url && normaliseUrl(typed).ok;
  const title = useQuery({ ...titleQuery(typed), enabled: isAddress && drafts["name"] === "" }).data;
  if (title === undefined || drafts["name"] !== "" || title === hostOf(url) || !isAddress) return null;
  return (
    <button
      type="button"
      onClick={() => change("name", title)}
      className="w-fit max-w-full truncate rounded-sm text-sm text-ink-muted underline underline-offset-4 hover:text-ink"
    >
      {t("assist.useTitle", { title })}
    </button>
  );
}
