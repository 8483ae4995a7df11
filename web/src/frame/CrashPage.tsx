import { type ErrorComponentProps, useRouter } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { ApiError } from "../api/client.ts";
import { EmptyState } from "../components/EmptyState.tsx";
import { Failure } from "../components/Loaded.tsx";
import { PageMessage } from "../components/PageMessage.tsx";

/** Stands for a page whose data could not be had, or that broke. */
export function CrashPage({ error, reset }: ErrorComponentProps) {
  const { t } = useTranslation();
  const router = useRouter();
  const retry = async () => {
    await router.invalidate();
    reset();
  };
  return (
    <PageMessage>
      {error instanceof ApiError ? (
        <Failure title={t("error.title")} error={error} onRetry={() => void retry()} />
      ) : (
        <EmptyState title={t("error.crashTitle")} text={t("error.crashText")}>
          <pre className="rounded-md bg-hover p-3 text-left text-xs break-words whitespace-pre-wrap">
            {String(error)}
          </pre>
        </EmptyState>
      )}
    </PageMessage>
  );
}
