import { useBlocker } from "@tanstack/react-router";
import { type RefObject, useCallback, useState } from "react";
import { useTranslation } from "react-i18next";
import { ConfirmDialog } from "../components/ConfirmDialog.tsx";

interface LeaveGuardProps {
  /** There is something that would be lost. */
  changed: boolean;
  /** Set as soon as it has been saved: then nothing keeps the reader. */
  saved: RefObject<boolean>;
  /** It is one page whatever its address says after the path: that may change. */
  isOnePage?: boolean;
}

/** Confirms before a page with unsaved changes is left, within the app or by closing the window. */
export function LeaveGuard({ changed, saved, isOnePage = false }: LeaveGuardProps) {
  const wouldLose = useCallback(() => !saved.current, [saved]);
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => wouldLose() && !(isOnePage && current.pathname === next.pathname),
    enableBeforeUnload: wouldLose,
    disabled: !changed,
    withResolver: true,
  });
  if (blocker.status !== "blocked") return null;
  return <LeaveDialog onLeave={blocker.proceed} onStay={blocker.reset} />;
}

function LeaveDialog({ onLeave, onStay }: { onLeave: () => void; onStay: () => void }) {
  const { t } = useTranslation("forms");
  // Read before the dialog opens and takes it.
  const [focused] = useState(() => document.activeElement);
  const focusBack = useCallback(() => {
    if (focused instanceof HTMLElement) focused.focus();
  }, [focused]);
  return (
    <ConfirmDialog
      title={t("leave.title")}
      text={t("leave.text")}
      submitLabel={t("leave.submit")}
      cancelLabel={t("leave.stay")}
      busy={false}
      onConfirm={onLeave}
      onCancel={onStay}
      onLeft={focusBack}
    />
  );
}
