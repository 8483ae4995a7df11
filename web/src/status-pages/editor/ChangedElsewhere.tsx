import { useTranslation } from "react-i18next";
import { Button } from "../../components/Button.tsx";
import { Notice } from "../../components/Notice.tsx";

interface ChangedElsewhereProps {
  isSaving: boolean;
  onTakeTheirs: () => void;
  onSaveMine: () => void;
}

/** That somebody else has saved the page meanwhile, and the two ways on. */
export function ChangedElsewhere({ isSaving, onTakeTheirs, onSaveMine }: ChangedElsewhereProps) {
  const { t } = useTranslation("status-pages/editor");
  return (
    <Notice tone="error">
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
    </Notice>
  );
}
