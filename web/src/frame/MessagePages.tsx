import { type ErrorComponentProps, Link, useRouter } from "@tanstack/react-router";
import { Compass } from "lucide-react";
import { useEffect, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { ApiError, serverAnswers } from "../api/client.ts";
import { Logo, PageMessage } from "../components/BareHeader.tsx";
import { EmptyState, Failure } from "../components/Loaded.tsx";
import { PageBar, usePageTitle } from "../components/PageBar.tsx";

/** An address that leads nowhere. */
export function NotFoundPage() {
  const { t } = useTranslation();
  usePageTitle(t("notFound.pageTitle"));
  return (
    <PageMessage>
      <PageBar title={t("notFound.pageTitle")} />
      <EmptyState
        icon={<Compass aria-hidden className="size-6" strokeWidth={1.5} />}
        title={t("notFound.title")}
        text={t("notFound.text")}
      >
        <Link to="/domains" className="rounded-sm font-medium underline underline-offset-4">
          {t("notFound.back")}
        </Link>
      </EmptyState>
    </PageMessage>
  );
}

/** Replaces a page whose data could not be loaded, or that threw. */
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

/** While a page cannot be shown yet; appears only when that takes longer than a moment. */
export function PendingPage() {
  return (
    <main className="grid min-h-dvh place-items-center" aria-busy>
      <Logo className="breathing size-8" />
    </main>
  );
}

const againMs = 3_000;

/** Replaces a page whose script could not be loaded because the server was away; loads it once it is back. */
export function UnreachablePage() {
  const { t } = useTranslation();
  const error = useMemo(() => new ApiError(0, t("error.unreachable")), [t]);
  useEffect(() => {
    void reloadIfBack();
    const timer = setInterval(() => void reloadIfBack(), againMs);
    return () => clearInterval(timer);
  }, []);
  return (
    <PageMessage>
      <Failure title={t("error.title")} error={error} onRetry={() => void reloadIfBack()} />
    </PageMessage>
  );
}

async function reloadIfBack(): Promise<void> {
  if (await serverAnswers()) window.location.reload();
}
