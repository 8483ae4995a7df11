import { useNavigate } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { useCompleteLink } from "../../api/integrations.ts";
import { ButtonLink } from "../../components/Button.tsx";
import { Callout, FailureCallout, failureOf } from "../../components/Callout.tsx";
import { usePageTitle } from "../../components/PageBar.tsx";
import { IntegrationBar } from "./AccountState.tsx";

/** Where people come back to from Vercel: links the account, and leads to it. */
export function VercelCallbackPage() {
  const { t } = useTranslation("settings/integrations");
  usePageTitle(t("callback.title"));
  const navigate = useNavigate();
  const { mutate, error } = useCompleteLink();
  const begun = useRef(false);
  const query = new URLSearchParams(location.search);
  const [code, state] = [query.get("code"), query.get("state")];
  useEffect(() => {
    // A code is good once.
    if (begun.current || !code || !state) return;
    begun.current = true;
    mutate(
      { code, state },
      {
        onSuccess: ({ id }) =>
          void navigate({
            to: "/settings/integrations/$provider/$id",
            params: { provider: "vercel", id: String(id) },
            replace: true,
          }),
      },
    );
  }, [code, state, mutate, navigate]);
  const isRefused = !code || !state;
  return (
    <>
      <IntegrationBar title={t("callback.title")} />
      <div className="grid max-w-xl gap-4">
        {isRefused && <Callout tone="error">{t("callback.refused")}</Callout>}
        {error && <FailureCallout of={failureOf(error)} />}
        {isRefused || error ? (
          <ButtonLink to="/settings/integrations" className="w-fit">
            {t("callback.back")}
          </ButtonLink>
        ) : (
          <p role="status" className="text-ink-muted">
            {t("callback.waiting")}
          </p>
        )}
      </div>
    </>
  );
}
