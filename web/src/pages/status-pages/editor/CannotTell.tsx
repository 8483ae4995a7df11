import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { authStateQuery } from "../../../api/session.ts";
import type { StatusPage } from "../../../api/status-pages.ts";
import { Notice } from "../../../components/Notice.tsx";

/** What has to be set before subscribers can be told; nothing where they can. */
export function CannotTell({ page }: { page: StatusPage }) {
  const { t } = useTranslation("status-pages/editor");
  const { data: auth } = useQuery(authStateQuery);
  const missing = page.url === null ? "unreachable" : auth?.mail === false ? "noMail" : null;
  return missing && <Notice tone="info">{t(`subscribers.${missing}`)}</Notice>;
}
