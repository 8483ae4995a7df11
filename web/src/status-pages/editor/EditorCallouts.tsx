import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { authStateQuery } from "../../api/session.ts";
import type { StatusPage } from "../../api/status-pages.ts";
import { Button } from "../../components/Button.tsx";
import { Callout } from "../../components/Callout.tsx";

/** Why subscribers cannot be notified: the page's access, or a missing setting. Nothing where they can. */
export function CannotNotify({ page }: { page: StatusPage }) {
  const { t } = useTranslation("status-pages/editor");
  const { data: auth } = useQuery(authStateQuery);
  const reasons = [
    [!page.isPublic, "closed"],
    [page.url === null, "unreachable"],
    [auth?.mail === false, "noMail"],
  ] as const;
  const found = reasons.find(([isSo]) => isSo);
  return found && <Callout tone="info">{t(`subscribers.${found[1]}`)}</Callout>;
}

interface ChangedElsewhereProps {
  isSaving: boolean;
  onTakeTheirs: () => void;
  onSaveMine: () => void;
}

/** Says that another user has saved the page meanwhile, and offers the two ways on. */
export function ChangedElsewhere({ isSaving, onTakeTheirs, onSaveMine }: ChangedElsewhereProps) {
  const { t } = useTranslation("status-pages/editor");
  return (
    <Callout tone="error">
      <p className="font-medium">{t("conflict.title")}</p>
      <p className="mt-1">{t("conflict.text")}</p>
      <div className="mt-2.5 flex flex-wrap gap-2">
        <Button variant="quiet" onClick={onTakeTheirs}>
          {t("conflict.theirs")}
        </Button>
        <Button variant="quiet" busy={isSaving} onClick={onSaveMine}>
          {t("conflict.mine")}
        </Button>
      </div>
    </Callout>
  );
}
