import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useLocation } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { confirmEmail, sessionQuery } from "../../api/session.ts";
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
    "confirm-email": typeof english;
  }
}

/**
 * Where the link to a new address leads. It asks for a click: mail programs and virus scanners open links by themselves.
 */
export function ConfirmEmailPage() {
  const { t } = useTranslation("confirm-email");
  usePageTitle(t("title"));
  const client = useQueryClient();
  const token = useLocation({ select: ({ hash }) => hash });
  const confirmation = useMutation({
    mutationFn: confirmEmail,
    onSuccess: () => client.removeQueries({ queryKey: sessionQuery.queryKey }),
  });
  const { failure, fields } = useFormErrors(confirmation.error, []);
  const done = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (confirmation.isSuccess) done.current?.focus();
  }, [confirmation.isSuccess]);
  const goOn = (
    <ButtonLink ref={done} to="/" className="w-full">
      {t("goOn")}
    </ButtonLink>
  );
  if (confirmation.isSuccess) {
    return (
      <AuthLayout title={t("doneTitle")} text={t("done", { email: confirmation.data.data.email })}>
        {goOn}
      </AuthLayout>
    );
  }
  if (token === "" || fields.token) {
    return (
      <AuthLayout title={t("title")}>
        <div className="grid gap-5">
          <Notice tone="error">{failure?.message ?? t("noToken")}</Notice>
          {goOn}
        </div>
      </AuthLayout>
    );
  }
  return (
    <AuthLayout title={t("title")} text={t("text")}>
      <div className="grid gap-5">
        <FailureNotice of={failure} />
        <Button
          autoFocus
          busy={confirmation.isPending}
          onClick={() => confirmation.mutate({ token })}
          className="h-10 w-full"
        >
          {t("submit")}
        </Button>
      </div>
    </AuthLayout>
  );
}
