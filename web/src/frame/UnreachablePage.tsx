import { useEffect, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { ApiError } from "../api/client.ts";
import { serverAnswers } from "../api/reach.ts";
import { Failure } from "../components/Loaded.tsx";
import { PageMessage } from "../components/PageMessage.tsx";

const againMs = 3_000;

/** Stands for a page whose script could not be had because the server was away; loads it once it is back. */
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
