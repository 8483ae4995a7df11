import { useQuery } from "@tanstack/react-query";
import { Link, useLocation } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { AcknowledgementShown } from "../../../../server/src/alerts/schemas/acknowledgement.ts";
import { acknowledgementQuery, useAcknowledgement } from "../../api/acknowledgement.ts";
import { usePageTitle } from "../../components/PageBar.tsx";
import { useFormErrors } from "../../components/use-form-errors.ts";
import { useNow } from "../../components/use-now.ts";
import { formatClock } from "../../i18n/format.ts";
import { LinkOnItsWay, LinkPage } from "../AuthLayout.tsx";
import type english from "./en.json";

declare module "../../i18n/texts.ts" {
  interface PageTexts {
    "signed-out/acknowledge": typeof english;
  }
}

/** The page of a message's link, on which its outage is acknowledged or its address confirmed. */
export function AcknowledgePage() {
  const { t } = useTranslation("signed-out/acknowledge");
  usePageTitle(t("title"));
  const token = useLocation({ select: ({ hash }) => hash });
  const message = useQuery({ ...acknowledgementQuery(token), enabled: token !== "" });
  const acknowledgement = useAcknowledgement(token);
  const unread = useFormErrors(message.error, []);
  const { failure } = useFormErrors(acknowledgement.error, []);
  const becameOf = useOutcome();
  if (token === "" || (message.isError && (!message.data || unread.fields.token))) {
    const outcome = { tone: "error", text: unread.failure?.message ?? t("noToken") } as const;
    return <LinkPage title={t("title")} outcome={outcome} goOn={{ label: t("goOn"), to: "/incidents" }} />;
  }
  if (!message.data) return <LinkOnItsWay title={t("title")} />;
  const { asks: action, title, text, state, incidentId, successor } = message.data;
  const merged = successor === "merged" && incidentId !== null && t("merged", { id: incidentId });
  const prompt = {
    ...(action === "acknowledge" && { text: [merged, t("text")].filter(Boolean).join(" ") }),
    submit: t(action === "acknowledge" ? "submit" : "confirm.submit"),
    busy: acknowledgement.isPending,
    failure,
    onSubmit: () => acknowledgement.mutate(),
  };
  const done = t(action === "acknowledge" ? "done" : "confirm.done");
  const wayOn =
    incidentId === null
      ? ({ label: t("goOn"), to: action === "acknowledge" ? "/incidents" : "/" } as const)
      : ({ label: t("incident"), to: "/incidents/$id", params: { id: String(incidentId) } } as const);
  const isDone = acknowledgement.isSuccess && state !== "open";
  return (
    <LinkPage
      title={title}
      text={text}
      prompt={state === "open" ? prompt : undefined}
      outcome={{
        tone: "info",
        text: isDone && !(action === "confirm" && state === "resolved") ? done : becameOf(message.data),
      }}
      isDone={isDone}
      goOn={wayOn}
    >
      <NotifiedMonitors acknowledgement={message.data} />
    </LinkPage>
  );
}

/** What the link acknowledges, where that is more than the title names: what became of each monitor, and where. */
function NotifiedMonitors({
  acknowledgement: { monitors, moreMonitors },
}: {
  acknowledgement: AcknowledgementShown;
}) {
  const { t } = useTranslation("signed-out/acknowledge");
  if (monitors.length < 2) return null;
  return (
    <div className="grid gap-3 text-sm">
      <ul aria-label={t("monitor.list")} className="grid gap-3">
        {monitors.map(({ name, incidentId: id, state, acknowledgedByName: by }) => (
          <li key={`${id} ${name}`}>
            <p className="flex flex-wrap justify-between gap-x-3">
              <span className="font-medium wrap-anywhere">{name}</span>
              <Link
                to="/incidents/$id"
                params={{ id: String(id) }}
                className="rounded-sm underline underline-offset-4 hover:text-ink"
              >
                {t("incidentNumber", { id })}
              </Link>
            </p>
            <p className="text-ink-muted">
              {state === "acknowledged" && by !== null
                ? t("monitor.acknowledgedBy", { name: by })
                : t(`monitor.${state}` as "monitor.open")}
            </p>
          </li>
        ))}
      </ul>
      {moreMonitors > 0 && <p className="text-ink-muted">{t("monitor.more", { count: moreMonitors })}</p>}
    </div>
  );
}

/** What became of what the message said: who has it, or that it is over, and where it goes on. */
function useOutcome() {
  const { t, i18n } = useTranslation("signed-out/acknowledge");
  const now = useNow();
  return ({ asks: action, state, successor, incidentId: id, ...story }: AcknowledgementShown): string => {
    if (action === "confirm") return t(`confirm.state.${state}` as "confirm.state.resolved");
    if (successor === "again") return id === null ? t("againSeveral") : t("again", { id });
    const { acknowledgedAt, acknowledgedByName: name, resolvedAt } = story;
    const clock = (at: string) => formatClock(Date.parse(at), now, i18n.language);
    const merged = successor === "merged" && id !== null && t("merged", { id });
    if (state === "resolved" && resolvedAt !== null)
      return [merged, t("state.resolvedSince", { time: clock(resolvedAt) })].filter(Boolean).join(" ");
    const known =
      acknowledgedAt !== null && name !== null
        ? t("state.acknowledgedBy", { name, time: clock(acknowledgedAt) })
        : t(`state.${state}` as "state.resolved");
    return [merged, known].filter(Boolean).join(" ");
  };
}
