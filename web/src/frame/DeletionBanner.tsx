import { CalendarX } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useKeepOrganization } from "../api/organization.ts";
import type { Session } from "../api/session.ts";
import { Button } from "../components/Button.tsx";
import { formatDateTime } from "../i18n/format.ts";
import { showToast } from "../toasts.ts";

interface DeletionBannerProps {
  session: Session;
  deletesAt: string;
}

/** On every page of an organization that is to be deleted: until when this can be undone, and for owners how. */
export function DeletionBanner({ session, deletesAt }: DeletionBannerProps) {
  const { t, i18n } = useTranslation();
  const keeping = useKeepOrganization(session);
  const { name, role } = session.organization;
  const keep = () =>
    keeping.mutate(undefined, {
      onSuccess: () => showToast("success", t("deletion.canceled", { name })),
      onError: (error) => showToast("error", error.message),
    });
  const date = formatDateTime(deletesAt, i18n.language);
  return (
    <div
      role="status"
      className="mb-5 flex flex-wrap items-center gap-x-4 gap-y-2 rounded-lg bg-warn-soft px-4 py-2.5 text-warn-ink"
    >
      <CalendarX aria-hidden className="size-4 shrink-0" />
      <p className="min-w-0 grow basis-64 text-sm text-pretty wrap-anywhere">
        {t("deletion.banner", { name, date })}
      </p>
      {role === "owner" && (
        <Button variant="quiet" busy={keeping.isPending} onClick={keep}>
          {t("deletion.keep")}
        </Button>
      )}
    </div>
  );
}
