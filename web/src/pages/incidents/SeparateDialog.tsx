import { useTranslation } from "react-i18next";
import { type Incident, titleOf } from "../../api/incidents.ts";
import { ConfirmDialog } from "../../components/ConfirmDialog.tsx";
import { useFocusBack } from "../../components/use-focus-back.ts";
import { useActs } from "./use-acts.ts";

interface SeparateDialogProps {
  incident: Incident;
  /** The one that gets an incident of its own; undefined: each does. */
  only?: { monitorId: number; name: string };
  onClose: () => void;
}

/** Asks before what shares an incident is separated: channels hear of it again. */
export function SeparateDialog({ incident, only, onClose }: SeparateDialogProps) {
  const { t } = useTranslation("incidents");
  const { split } = useActs();
  const focusBack = useFocusBack();
  const confirm = () => {
    onClose();
    split(incident, only?.monitorId);
  };
  return (
    <ConfirmDialog
      title={only ? t("separate.one", { name: only.name }) : t("separate.all", { title: titleOf(incident) })}
      text={t(only ? "separate.oneText" : "separate.allText")}
      submitLabel={t("separate.submit")}
      busy={false}
      onLeft={focusBack}
      onConfirm={confirm}
      onCancel={onClose}
    />
  );
}
