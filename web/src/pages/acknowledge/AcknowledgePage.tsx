import { useQuery } from "@tanstack/react-query";
import { useLocation } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { acknowledgementQuery, useAcknowledgement } from "../../api/acknowledgement.ts";
import { AuthLayout } from "../../components/AuthLayout.tsx";
import { Button } from "../../components/Button.tsx";
import { ButtonLink } from "../../components/ButtonLink.tsx";
import { FailureNotice } from "../../components/FailureNotice.tsx";
import { Notice } from "../../components/Notice.tsx";
import { useFormErrors } from "../../components/use-form-errors.ts";
import { usePageTitle } from "../../components/use-page-title.ts";
import type english from "./en.json";

declare module "../../i18n/texts.ts" {
  interface PageTexts {
    acknowledge: typeof english;
  }
}

/**
 * Where the link of a message leads, signed in or not. It asks for a click: chats and mail programs open links by
 * themselves.
 */
export function AcknowledgePage() {
  const { t } = useTranslation("acknowledge");
  usePageTitle(t("title"));
  const token = useLocation({ select: ({ hash }) => hash });
  const message = useQuery({ ...acknowledgementQuery(token), enabled: token !== "" });
  const acknowledgement = useAcknowledgement(token);
  const { failure, fields } = useFormErrors(acknowledgement.error ?? message.error, []);
  const goOn = (
    <ButtonLink to="/incidents" className="w-full">
      {t("goOn")}
    </ButtonLink>
  );
  if (token === "" || fields.token || (message.isError && !message.data)) {
    return (
      <AuthLayout title={t("title")}>
        <div className="grid gap-5">
          <Notice tone="error">{failure?.message ?? t("noToken")}</Notice>
          {goOn}
        </div>
      </AuthLayout>
    );
  }
  if (!message.data) {
    return (
      <AuthLayout title={t("title")}>
        <p className="text-ink-faint">…</p>
      </AuthLayout>
    );
  }
  const { title, text, state } = message.data;
  return (
    <AuthLayout title={title} text={text}>
      <div className="grid gap-5">
        <FailureNotice of={failure} />
        {state === "open" ? (
          <>
            <p className="text-ink-muted">{t("text")}</p>
            <Button
              autoFocus
              busy={acknowledgement.isPending}
              onClick={() => acknowledgement.mutate()}
              className="h-10 w-full"
            >
              {t("submit")}
            </Button>
          </>
        ) : (
          <>
            <Notice tone="info">{acknowledgement.isSuccess ? t("done") : t(`state.${state}`)}</Notice>
            {goOn}
          </>
        )}
      </div>
    </AuthLayout>
  );
}
