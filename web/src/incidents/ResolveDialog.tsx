import { type ReactNode, useCallback, useState } from "react";
import { useTranslation } from "react-i18next";
import { type Incident, stillDown, titleOf } from "../api/incidents.ts";
import { ConfirmDialog } from "../components/ConfirmDialog.tsx";
import { useFocusBack } from "../components/focus.ts";
import { useActs } from "./use-acts.ts";

interface ResolveDialogProps {
  incident: Incident;
  onConfirm: () => void;
  onClose: () => void;
}

/** Confirms before an incident is resolved in which something is still down. */
export function ResolveDialog({ incident, onConfirm, onClose }: ResolveDialogProps) {
  const { t } = useTranslation("incidents");
  const focusBack = useFocusBack();
  const [first, ...others] = stillDown(incident);
  return (
    <ConfirmDialog
      title={t("resolve.title", { title: titleOf(incident) })}
      text={
        others.length === 0
          ? t("resolve.one", { name: first?.name ?? "" })
          : t("resolve.several", { count: others.length + 1 })
      }
      submitLabel={t("resolve.submit")}
      busy={false}
      onLeft={focusBack}
      onConfirm={onConfirm}
      onCancel={onClose}
    />
  );
}

/** Resolves an incident: at once where all of it works again, else after a confirmation. */
export function useResolving(): { resolve: (incident: Incident) => void; confirmation: ReactNode } {
  const { resolve } = useActs();
  const [confirming, setConfirming] = useState<Incident>();
  const resolveOrConfirm = useCallback(
    (incident: Incident) => (stillDown(incident).length > 0 ? setConfirming(incident) : resolve(incident)),
    [resolve],
  );
  return {
    resolve: resolveOrConfirm,
    confirmation: confirming && (
      <ResolveDialog
        incident={confirming}
        onConfirm={() => {
          setConfirming(undefined);
          resolve(confirming);
        }}
        onClose={() => setConfirming(undefined)}
      />
    ),
  };
}
