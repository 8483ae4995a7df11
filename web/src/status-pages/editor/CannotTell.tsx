import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { authStateQuery } from "../../api/session.ts";
import type { StatusPage } from "../../api/status-pages.ts";
import { Notice } from "../../components/Notice.tsx";

/** Why subscribers cannot be told: for whom the page is, or what has to be set first. Nothing where they can. */
export function CannotTell({ page }: { page: StatusPage }) {
  const { t } = useTranslation("status-pages/editor");
  const { data: auth } = useQuery(authStateQuery);
  const reasons = [
    [!page.isPublic, "closed"],
    [page.url === null, "unreachable"],
    [auth?.mail === false, "noMail"],
  ] as const;
  const found = reasons.find(([isSo]) => isSo);
  return found && <Notice tone="info">{t(`subscribers.${found[1]}`)}</Notice>;
}
