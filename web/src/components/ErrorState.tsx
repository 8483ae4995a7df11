import { RotateCw, ServerCrash } from "lucide-react";
import { useTranslation } from "react-i18next";
import { ApiError } from "../api/client.ts";
import { Button } from "./Button.tsx";
import { EmptyState } from "./EmptyState.tsx";

/** Stands where something could not be loaded: the API's own sentence, its request id, and another try. */
export function ErrorState({ error, busy, onRetry }: { error: Error; busy?: boolean; onRetry: () => void }) {
  const { t } = useTranslation();
  const requestId = error instanceof ApiError ? error.requestId : null;
  return (
    <div role="alert">
      <EmptyState
        icon={<ServerCrash aria-hidden className="size-6" strokeWidth={1.5} />}
        title={t("error.title")}
        text={error.message}
      >
        <Button variant="quiet" busy={busy} onClick={onRetry}>
          <RotateCw aria-hidden className="size-4" />
          {t("action.retry")}
        </Button>
        {requestId && (
          <p className="mt-4 text-xs text-ink-faint select-all">{t("error.requestId", { id: requestId })}</p>
        )}
      </EmptyState>
    </div>
  );
}
