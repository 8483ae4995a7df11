import { useTranslation } from "react-i18next";
import { Button } from "../../../components/Button.tsx";
import { Notice } from "../../../components/Notice.tsx";
import type { PageEditing } from "./use-page-draft.ts";

/** That somebody else has saved the page meanwhile, and the two ways on. */
export function ChangedElsewhere({ editing }: { editing: PageEditing }) {
  const { t } = useTranslation("status-pages/editor");
  if (!editing.isOvertaken) return null;
  return (
    <Notice tone="error">
      <p className="font-medium">{t("conflict.title")}</p>
      <p className="mt-1">{t("conflict.text")}</p>
      <div className="mt-2.5 flex flex-wrap gap-2">
        <Button variant="quiet" onClick={editing.takeTheirs}>
          {t("conflict.theirs")}
        </Button>
        <Button variant="quiet" busy={editing.save.isPending} onClick={editing.saveMine}>
          {t("conflict.mine")}
        </Button>
      </div>
    </Notice>
  );
}
