import { useTranslation } from "react-i18next";
import type { Failure } from "./failure.ts";
import { Notice } from "./Notice.tsx";

/** Why something could not be done; nothing while nothing has failed. */
export function FailureNotice({ of: failure }: { of: Failure | null }) {
  const { t } = useTranslation();
  if (!failure) return null;
  return (
    <Notice tone="error">
      {failure.message}
      {failure.requestId !== null && (
        <p className="mt-1 text-xs wrap-anywhere select-all">
          {t("error.requestId", { id: failure.requestId })}
        </p>
      )}
    </Notice>
  );
}
