import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { mailSettingsQuery } from "../../../api/mail.ts";
import { useRole } from "../../../api/roles.ts";
import type { StatusPage } from "../../../api/status-pages.ts";
import { Notice } from "../../../components/Notice.tsx";

/** What has to be set before subscribers can be told; nothing where they can. */
export function CannotTell({ page }: { page: StatusPage }) {
  const { t } = useTranslation("status-pages/editor");
  // Nobody else may know what mail is sent by.
  const { data } = useQuery({ ...mailSettingsQuery, enabled: useRole() === "owner" });
  const missing = page.url === null ? "unreachable" : data?.server === null ? "noMail" : null;
  if (missing === null) return null;
  return (
    <div className="px-4 pb-4">
      <Notice tone="info">{t(`subscribers.${missing}`)}</Notice>
    </div>
  );
}
