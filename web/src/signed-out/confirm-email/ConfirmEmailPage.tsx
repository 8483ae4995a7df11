import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useLocation } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { confirmEmail, sessionQuery } from "../../api/session.ts";
import { usePageTitle } from "../../components/PageBar.tsx";
import { useFormErrors } from "../../components/use-form-errors.ts";
import { LinkPage } from "../AuthLayout.tsx";
import type english from "./en.json";

declare module "../../i18n/texts.ts" {
  interface PageTexts {
    "signed-out/confirm-email": typeof english;
  }
}

/** Where the link to a person's new address leads. */
export function ConfirmEmailPage() {
  const { t } = useTranslation("signed-out/confirm-email");
  usePageTitle(t("title"));
  const client = useQueryClient();
  const token = useLocation({ select: ({ hash }) => hash });
  const confirmation = useMutation({
    mutationFn: confirmEmail,
    onSuccess: () => client.removeQueries({ queryKey: sessionQuery.queryKey }),
  });
  const { failure, fields } = useFormErrors(confirmation.error, []);
  const goOn = { label: t("goOn"), to: "/" } as const;
  if (confirmation.isSuccess) {
    const { email } = confirmation.data.data;
    return <LinkPage title={t("doneTitle")} text={t("done", { email })} isDone goOn={goOn} />;
  }
  if (token === "" || fields.token) {
    const text = failure?.message ?? t("noToken");
    return <LinkPage title={t("title")} outcome={{ tone: "error", text }} goOn={goOn} />;
  }
  const prompt = {
    submit: t("submit"),
    busy: confirmation.isPending,
    failure,
    onSubmit: () => confirmation.mutate({ token }),
  };
  return <LinkPage title={t("title")} text={t("text")} prompt={prompt} goOn={goOn} />;
}
