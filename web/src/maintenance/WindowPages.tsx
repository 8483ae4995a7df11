import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { type MaintenanceWindow, windowQuery } from "../api/maintenance.ts";
import { useMayWrite, useRole } from "../api/roles.ts";
import { Section } from "../components/Card.tsx";
import { focusPage } from "../components/focus.ts";
import { Loaded, Refused, Skeleton } from "../components/Loaded.tsx";
import { PageBar, usePageTitle } from "../components/PageBar.tsx";
import { currentTimeZone } from "../i18n/format.ts";
import { showToast } from "../toasts.ts";
import { NextTimes } from "./ScheduleFields.tsx";
import { WindowActions } from "./WindowActions.tsx";
import { WindowForm } from "./WindowForm.tsx";
import { draftOf, newDraft } from "./window-draft.ts";
import { useTitleOf, useWindowWords } from "./window-words.ts";

function Bar({ title, children }: { title: string; children?: ReactNode }) {
  const { t } = useTranslation("maintenance");
  return (
    <PageBar heading crumbs={[{ label: t("title"), to: "/maintenance" }]} title={title}>
      {children}
    </PageBar>
  );
}

function useDone(word: "planned" | "saved") {
  const { t } = useTranslation("maintenance");
  const navigate = useNavigate();
  return ({ title }: MaintenanceWindow) => {
    showToast("success", t(`done.${word}`, { title }));
    void navigate({ to: "/maintenance" }).then(focusPage);
  };
}

export function NewWindowPage() {
  const { t } = useTranslation("maintenance");
  usePageTitle(t("newTitle"));
  const role = useRole();
  const mayWrite = useMayWrite();
  const done = useDone("planned");
  const [start] = useState(() => newDraft(Date.now(), currentTimeZone()));
  return (
    <>
      <Bar title={t("newTitle")} />
      {mayWrite ? <WindowForm window={null} start={start} onDone={done} /> : <Refused role={role} />}
    </>
  );
}

/** One window: its form, or for who may not change it, what it says. */
export function WindowPage() {
  const { t } = useTranslation("maintenance");
  const id = Number(useParams({ strict: false }).id);
  const query = useQuery(windowQuery(id));
  const titleOf = useTitleOf();
  const title = query.data && titleOf(query.data);
  usePageTitle(title ?? t("title"));
  const mayWrite = useMayWrite();
  const done = useDone("saved");
  return (
    <>
      <Bar title={title ?? ""}>{mayWrite && query.data && <WindowActions window={query.data} />}</Bar>
      <Loaded
        of={query}
        failed={t("failedOne")}
        gone={<p className="text-ink-muted">{t("gone")}</p>}
        loading={<Skeleton className="h-64 w-full" />}
      >
        {(window) =>
          mayWrite ? (
            <WindowForm key={window.id} window={window} start={draftOf(window)} onDone={done} />
          ) : (
            <WindowDetails window={window} />
          )
        }
      </Loaded>
    </>
  );
}

function WindowDetails({ window }: { window: MaintenanceWindow }) {
  const { t } = useTranslation("maintenance");
  const { scheduleWords, scopeWords } = useWindowWords();
  return (
    <Section title={t("next.title")}>
      <div className="grid gap-3 px-4 pb-4">
        <p className="wrap-anywhere text-ink-muted">
          {scopeWords(window)} · {scheduleWords(window)}
        </p>
        {window.description !== "" && (
          <p className="whitespace-pre-line wrap-anywhere">{window.description}</p>
        )}
        <NextTimes occurrences={window.occurrences} timeZone={window.timeZone} />
      </div>
    </Section>
  );
}
