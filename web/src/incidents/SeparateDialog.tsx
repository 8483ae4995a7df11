import { useTranslation } from "react-i18next";
import { type Incident, titleOf } from "../api/incidents.ts";
import { ConfirmDialog } from "../components/ConfirmDialog.tsx";
import { useFocusBack } from "../components/use-focus-back.ts";
import { useActs } from "./use-acts.ts";

interface SeparateDialogProps {
  incident: Incident;
  /** The one that gets an incident of its own; undefined: each does. */
  only?: { monitorId: number; name: string };
  onClose: () => void;
}

/** Asks before what shares an incident is separated, and says who hears of it. */
export function SeparateDialog({ incident, only, onClose }: SeparateDialogProps) {
  const { t } = useTranslation("incidents");
  const { split } = useActs();
  const focusBack = useFocusBack();
  const confirm = () => {
    onClose();
    split(incident, only?.monitorId);
  };
  const { acknowledgedAt, acknowledgedByName } = incident;
  const name = acknowledgedByName ?? t("someone");
  const known = acknowledgedAt === null ? "" : t(only ? "separate.oneKnown" : "separate.allKnown", { name });
  return (
    <ConfirmDialog
      title={only ? t("separate.one", { name: only.name }) : t("separate.all", { title: titleOf(incident) })}
      text={[t(only ? "separate.oneText" : "separate.allText"), known].filter(Boolean).join(" ")}
      submitLabel={t("separate.submit")}
      busy={false}
      onLeft={focusBack}
      onConfirm={confirm}
      onCancel={onClose}
    />
  );
}
