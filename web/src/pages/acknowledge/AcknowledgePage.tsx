import { useQuery } from "@tanstack/react-query";
import { useLocation } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { acknowledgementQuery, useAcknowledgement } from "../../api/acknowledgement.ts";
import { useFormErrors } from "../../components/use-form-errors.ts";
import { usePageTitle } from "../../components/use-page-title.ts";
import { LinkOnItsWay, LinkPage } from "../LinkPage.tsx";
import type english from "./en.json";

declare module "../../i18n/texts.ts" {
  interface PageTexts {
    acknowledge: typeof english;
  }
}

/** Where the link of a message leads: what it said is acknowledged there, and what it asked confirmed. */
export function AcknowledgePage() {
  const { t } = useTranslation("acknowledge");
  usePageTitle(t("title"));
  const token = useLocation({ select: ({ hash }) => hash });
  const message = useQuery({ ...acknowledgementQuery(token), enabled: token !== "" });
  const acknowledgement = useAcknowledgement(token);
  const { failure, fields } = useFormErrors(acknowledgement.error ?? message.error, []);
  if (token === "" || fields.token || (message.isError && !message.data)) {
    const outcome = { tone: "error", text: failure?.message ?? t("noToken") } as const;
    return <LinkPage title={t("title")} outcome={outcome} goOn={{ label: t("goOn"), to: "/incidents" }} />;
  }
  if (!message.data) return <LinkOnItsWay title={t("title")} />;
  const { asks, title, text, state, incidentId } = message.data;
  const ask = {
    ...(asks === "acknowledge" && { text: t("text") }),
    submit: t(asks === "acknowledge" ? "submit" : "confirm.submit"),
    busy: acknowledgement.isPending,
    failure,
    onSubmit: () => acknowledgement.mutate(),
  };
  const became =
    asks === "acknowledge"
      ? t(`state.${state}` as "state.resolved")
      : t(`confirm.state.${state}` as "confirm.state.resolved");
  const done = t(asks === "acknowledge" ? "done" : "confirm.done");
  const wayOn =
    incidentId === null
      ? ({ label: t("goOn"), to: asks === "acknowledge" ? "/incidents" : "/" } as const)
      : ({ label: t("incident"), to: "/incidents/$id", params: { id: String(incidentId) } } as const);
  const isDone = acknowledgement.isSuccess && state !== "open";
  return (
    <LinkPage
      title={title}
      text={text}
      ask={state === "open" ? ask : undefined}
      outcome={{
        tone: "info",
        text: isDone && !(asks === "confirm" && state === "resolved") ? done : became,
      }}
      isDone={isDone}
      goOn={wayOn}
    />
  );
}
