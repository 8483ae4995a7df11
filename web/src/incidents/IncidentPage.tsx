import { useQueries, useQuery } from "@tanstack/react-query";
import { Link, useLocation, useParams } from "@tanstack/react-router";
import { Compass } from "lucide-react";
import { type FormEvent, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { isGone } from "../api/client.ts";
import { incidentPagesQuery } from "../api/incident-pages.ts";
import {
  evidenceQuery,
  explanationQuery,
  type Incident,
  incidentCommentsQuery,
  incidentDeliveriesQuery,
  incidentDevicesQuery,
  incidentQuery,
  incidentUpdatesQuery,
  postmortemQuery,
  titleOf,
  useIncidentAct,
} from "../api/incidents.ts";
import { useMayWrite } from "../api/roles.ts";
import { Button } from "../components/Button.tsx";
import { FailureCallout } from "../components/Callout.tsx";
import { Section } from "../components/Card.tsx";
import { isComing } from "../components/chart-data.ts";
import { DialogButtons } from "../components/Dialog.tsx";
import { TextArea } from "../components/Field.tsx";
import { EmptyState, Loaded, LoadingStatus, Skeleton } from "../components/Loaded.tsx";
import { MarkdownText } from "../components/markdown/MarkdownText.tsx";
import { PageBar, usePageTitle } from "../components/PageBar.tsx";
import { useFormErrors } from "../components/use-form-errors.ts";
import { LeaveGuard } from "../forms/LeaveGuard.tsx";
import { AffectedCard } from "./AffectedCard.tsx";
import { Composer } from "./Composer.tsx";
import { DevicesCard } from "./DevicesCard.tsx";
import { EvidenceCard } from "./EvidenceCard.tsx";
import { IncidentActions } from "./IncidentActions.tsx";
import { IncidentHeader } from "./IncidentHeader.tsx";
import { NotifiedCard } from "./NotifiedCard.tsx";
import { TimelineCard } from "./TimelineCard.tsx";
import { WhyCard } from "./WhyCard.tsx";

export function IncidentPage() {
  const { t } = useTranslation("incidents");
  const mayWrite = useMayWrite();
  const id = Number(useParams({ strict: false }).id);
  const query = useQuery(incidentQuery(id));
  const incident = isGone(query.error) ? undefined : query.data;
  const title = incident ? titleOf(incident) : "";
  usePageTitle(title || t("title"));
  const canChange = mayWrite && incident?.mergedIntoId === null;
  return (
    <>
      <PageBar
        crumbs={[{ label: t("title"), to: "/incidents" }]}
        title={title || (query.error ? `#${id}` : "")}
      >
        {mayWrite && incident && <IncidentActions incident={incident} />}
      </PageBar>
      <Loaded of={query} failed={t("failedOne")} gone={<Gone />} loading={<PageSkeleton />}>
        {(shown: Incident) => (
          <>
            <IncidentHeader incident={shown} canChange={canChange} />
            <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]">
              <Cards key={id} incident={shown} canChange={canChange} />
              <div className="max-lg:order-first">
                <AffectedCard incident={shown} canChange={canChange} />
              </div>
            </div>
          </>
        )}
      </Loaded>
    </>
  );
}

/** The router looks for what a link leads to before it has come. */
const scrollTo = (section: HTMLElement | null) => section?.scrollIntoView();

/** They come together: some are there only where there is something to say, and would push away the others. */
function Cards({ incident, canChange }: { incident: Incident; canChange: boolean }) {
  const { id, affected } = incident;
  const isLinked = useLocation({ select: ({ hash }) => hash === "notified" });
  const isOutage = affected.some(({ outageStartedAt }) => outageStartedAt !== null);
  const readings = useQueries({
    queries: [
      explanationQuery(id),
      { ...evidenceQuery(id), enabled: isOutage },
      incidentDevicesQuery(id),
      incidentPagesQuery(id),
      incidentDeliveriesQuery(id),
      incidentUpdatesQuery(id),
      incidentCommentsQuery(id),
      postmortemQuery(id),
    ],
  });
  // Refetching must not discard the text that is being written here.
  const [haveCome, setCome] = useState(false);
  if (!haveCome && !isComing(readings)) setCome(true);
  if (!haveCome) return <CardsSkeleton />;
  return (
    <div className="grid gap-4">
      <WhyCard incident={incident} />
      <EvidenceCard incident={incident} />
      <DevicesCard incident={incident} />
      {canChange && <Composer incident={incident} />}
      <div ref={isLinked ? scrollTo : null} id="notified" className="scroll-mt-16">
        <NotifiedCard id={id} />
      </div>
      <TimelineCard incident={incident} canChange={canChange} />
      <PostmortemCard id={id} canChange={canChange} />
    </div>
  );
}

function Gone() {
  const { t } = useTranslation("incidents");
  return (
    <EmptyState
      icon={<Compass aria-hidden className="size-6" strokeWidth={1.5} />}
      title={t("gone.title")}
      text={t("gone.text")}
    >
      <Link to="/incidents" className="rounded-sm font-medium underline underline-offset-4">
        {t("gone.back")}
      </Link>
    </EmptyState>
  );
}

function CardsSkeleton() {
  return (
    <div className="grid gap-4">
      <LoadingStatus />
      <Skeleton className="h-36 w-full rounded-lg" />
      <Skeleton className="h-60 w-full rounded-lg" />
      <Skeleton className="h-60 w-full rounded-lg" />
    </div>
  );
}

function PageSkeleton() {
  return (
    <div aria-hidden className="grid gap-4">
      <Skeleton className="h-5 w-60" />
      <Skeleton className="h-24 w-full rounded-lg" />
      <Skeleton className="h-40 w-full rounded-lg" />
    </div>
  );
}

function PostmortemCard({ id, canChange }: { id: number; canChange: boolean }) {
  const { t } = useTranslation("incidents");
  const query = useQuery(postmortemQuery(id));
  const [isWriting, setWriting] = useState(false);
  const write = canChange && !isWriting && query.data !== undefined && (
    <Button variant="quiet" onClick={() => setWriting(true)}>
      {t(query.data === null ? "postmortem.write" : "postmortem.edit")}
    </Button>
  );
  return (
    <Section title={t("postmortem.title")} trailing={write}>
      <div className="px-4 pb-4">
        <Loaded of={query} failed={t("postmortem.failed")} loading={<Skeleton className="h-3 w-60" />}>
          {(content: string | null) =>
            isWriting ? (
              <PostmortemForm id={id} content={content ?? ""} onDone={() => setWriting(false)} />
            ) : (
              <Postmortem content={content} />
            )
          }
        </Loaded>
      </div>
    </Section>
  );
}

function Postmortem({ content }: { content: string | null }) {
  const { t } = useTranslation("incidents");
  if (content === null) return <p className="text-sm text-ink-faint">{t("postmortem.none")}</p>;
  return <MarkdownText text={content} />;
}

interface PostmortemFormProps {
  id: number;
  content: string;
  onDone: () => void;
}

function PostmortemForm({ id, content, onDone }: PostmortemFormProps) {
  const { t } = useTranslation("incidents");
  const act = useIncidentAct();
  const [start] = useState(content || `${t("postmortem.template")}\n`);
  const [text, setText] = useState(start);
  const saved = useRef(false);
  const [isPreview, setPreview] = useState(false);
  const { form, fields, failure } = useFormErrors(act.error, ["content"]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const onSuccess = () => {
      saved.current = true;
      onDone();
    };
    act.mutate({ act: "postmortem", id, content: text.trim() || null }, { onSuccess });
  };
  return (
    <form ref={form} onSubmit={submit} noValidate className="grid gap-3">
      <LeaveGuard changed={text !== start} saved={saved} />
      <FailureCallout of={failure} />
      {isPreview ? (
        <MarkdownText text={text} />
      ) : (
        <TextArea
          label={t("postmortem.title")}
          hideLabel
          rows={14}
          value={text}
          hint={t("postmortem.hint")}
          errors={fields["content"]}
          maxLength={60_000}
          onChange={(event) => setText(event.target.value)}
        />
      )}
      <DialogButtons onCancel={onDone}>
        <Button variant="quiet" aria-pressed={isPreview} onClick={() => setPreview(!isPreview)}>
          {t(isPreview ? "postmortem.write" : "postmortem.preview")}
        </Button>
        <Button type="submit" busy={act.isPending}>
          {t("edit.save")}
        </Button>
      </DialogButtons>
    </form>
  );
}
