import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { CircleAlert } from "lucide-react";
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { ApiError, type FieldErrors } from "../../api/client.ts";
import { useMayWrite } from "../../api/roles.ts";
import {
  type ShownPreview,
  type StatusPage,
  statusPageQuery,
  useChangeStatusPage,
} from "../../api/status-pages.ts";
import { Button } from "../../components/Button.tsx";
import { FailureCallout, failureOf } from "../../components/Callout.tsx";
import { Loaded, Skeleton } from "../../components/Loaded.tsx";
import { PageBar, usePageTitle } from "../../components/PageBar.tsx";
import { useMedia } from "../../components/use-media.ts";
import { LeaveGuard } from "../../forms/LeaveGuard.tsx";
import { FilterButtons } from "../../list/FilterButtons.tsx";
import { showToast } from "../../toasts.ts";
import { type PagePart, pageParts } from "../search.ts";
import { AboutPart } from "./AboutPart.tsx";
import { AccessPart } from "./AccessPart.tsx";
import { ContentsPart } from "./ContentsPart.tsx";
import { AddressPart, DomainPart } from "./DomainPart.tsx";
import { ChangedElsewhere } from "./EditorCallouts.tsx";
import type english from "./en.json";
import { LookPart } from "./LookPart.tsx";
import { type Contrast, OpenLink, Preview } from "./Preview.tsx";
import { changeOf, draftOf, draftOver, type PageDraft, rebasedDraft } from "./page-draft.ts";
import { SubscribersPart } from "./SubscribersPart.tsx";
import { partsWith, useWrongPart } from "./use-wrong-part.ts";

declare module "../../i18n/texts.ts" {
  interface PageTexts {
    "status-pages/editor": typeof english;
  }
}

export function StatusPagePage() {
  const { t } = useTranslation(["status-pages/editor", "status-pages"]);
  const id = Number(useParams({ strict: false }).id);
  const query = useQuery(statusPageQuery(id));
  const mayWrite = useMayWrite();
  usePageTitle(query.data?.name ?? t("status-pages:title"));
  return (
    <>
      {!query.data && (
        <PageBar
          heading
          crumbs={[{ label: t("status-pages:title"), to: "/status-pages" }]}
          title={t("status-pages:column.name")}
        />
      )}
      <Loaded
        of={query}
        failed={t("failed")}
        gone={<p className="text-ink-muted">{t("gone")}</p>}
        loading={<Skeleton className="h-96 w-full" />}
      >
        {(page) => (mayWrite ? <PageEditor key={page.id} latest={page} /> : <PageView page={page} />)}
      </Loaded>
    </>
  );
}

const nothing = {};

/** A page for those who may not change it: what visitors see, and the way there. */
function PageView({ page }: { page: StatusPage }) {
  const { t } = useTranslation("status-pages");
  return (
    <>
      <PageBar heading crumbs={[{ label: t("title"), to: "/status-pages" }]} title={page.name}>
        <OpenLink page={page} />
      </PageBar>
      <Preview page={page} change={nothing} />
    </>
  );
}

const none: readonly string[] = [];

/** The editor of a page: its parts, what visitors would see, and what saves all of it. `latest`: as it was last read. */
function PageEditor({ latest }: { latest: StatusPage }) {
  const { t } = useTranslation(["status-pages/editor", "status-pages", "shared"]);
  const { part = "contents" } = useSearch({ from: "/app/status-pages/$id" });
  const editing = usePageDraft(latest);
  const { draft, change, base, isChanged, save, errors, failure } = editing;
  const [contrast, setContrast] = useState<Contrast>(null);
  const [lastPreview, setLastPreview] = useState<ShownPreview>();
  // What was saved is no change any more.
  const saved = useRef(false);
  const choosePart = useChoosePart();
  const box = useWrongPart({ error: save.error, errors, part, onPart: choosePart });
  const isWide = useMedia("(min-width: 80rem)");
  const preview = useMemo(
    () => (
      <Preview
        {...{ page: base, change, lastPreview, onPreview: setLastPreview }}
        onErrors={editing.setPreviewErrors}
        onContrast={setContrast}
      />
    ),
    [base, change, lastPreview, editing.setPreviewErrors],
  );
  const props = { draft, errors, page: base, onChange: editing.setDraft };
  const parts: Record<PagePart, ReactNode> = {
    contents: <ContentsPart {...props} refusal={save.error} revealing={lastPreview?.revealing ?? none} />,
    about: <AboutPart {...props} />,
    look: <LookPart {...props} contrast={contrast} onSaved={editing.rebase} />,
    access: <AccessPart page={latest} onSaved={editing.rebase} />,
    subscribers: <SubscribersPart page={base} />,
    address: (
      <>
        <AddressPart page={base} />
        <DomainPart page={base} onSaved={editing.rebase} />
      </>
    ),
  };
  const hasPreview = part === "contents" || part === "about" || part === "look";
  return (
    <>
      <PageBar heading crumbs={[{ label: t("status-pages:title"), to: "/status-pages" }]} title={base.name}>
        {isChanged && <span className="text-sm text-ink-muted max-md:sr-only">{t("unsaved")}</span>}
        <OpenLink page={base} />
        <Button busy={save.isPending} disabled={!isChanged} onClick={editing.submit}>
          {t("save")}
        </Button>
      </PageBar>
      <Parts part={part} wrong={partsWith(errors)} onChoose={choosePart} />
      <div className="grid grid-cols-1 gap-4">
        {editing.isOvertaken && (
          <ChangedElsewhere
            isSaving={save.isPending}
            onTakeTheirs={editing.takeTheirs}
            onSaveMine={editing.saveMine}
          />
        )}
        <FailureCallout of={failure} />
        <div
          className={
            hasPreview
              ? "grid grid-cols-1 items-start gap-6 xl:grid-cols-[minmax(0,27rem)_minmax(0,1fr)]"
              : ""
          }
        >
          <div ref={box} className="grid min-w-0 grid-cols-1 gap-4">
            {parts[part]}
          </div>
          {hasPreview && (isWide ? <div className="sticky top-16">{preview}</div> : preview)}
        </div>
      </div>
      <LeaveGuard changed={isChanged} saved={saved} isOnePage />
    </>
  );
}

function useChoosePart() {
  const navigate = useNavigate();
  return useCallback(
    (part: PagePart) =>
      void navigate({
        ...{ to: ".", search: part === "contents" ? {} : { part } },
        ...{ replace: true, resetScroll: false },
      }),
    [navigate],
  );
}

interface PartsProps {
  part: PagePart;
  /** Those in which something has to be corrected. */
  wrong: readonly PagePart[];
  onChoose: (part: PagePart) => void;
}

/** The parts of the editor, of which one is shown. What was typed in the others stays. */
function Parts({ part, wrong, onChoose }: PartsProps) {
  const { t } = useTranslation("status-pages/editor");
  return (
    <FilterButtons
      label={t("part.label")}
      names={pageParts}
      chosen={part}
      onChoose={onChoose}
      className="mb-4"
    >
      {(name) => (
        <>
          {t(`part.${name}`)}
          {wrong.includes(name) && (
            <>
              <CircleAlert aria-hidden className="size-3.5 shrink-0 text-down-ink" />
              <span className="sr-only">{t("part.wrong")}</span>
            </>
          )}
        </>
      )}
    </FilterButtons>
  );
}

const noErrors: FieldErrors = {};

/** A page's draft in the editor, against the version of the page that it was made from. */
function usePageDraft(latest: StatusPage) {
  const { t, i18n } = useTranslation("status-pages/editor");
  const { base, draft, setDraft, put, take, rebase } = useDraft(latest);
  const [previewErrors, setPreviewErrors] = useState<FieldErrors>(noErrors);
  const save = useChangeStatusPage(latest.id);
  const change = useMemo(() => changeOf(draft, base), [draft, base]);
  const isChanged = Object.keys(change).length > 0;
  const { isConflict, refused, failure } = useRefusal(latest.id, save.error);
  // As long as nothing was typed, the editor shows what others saved.
  const isOutdated = latest.updatedAt !== base.updatedAt && !save.isPending;
  if (isOutdated && !isChanged) take(latest);
  const send = (from: StatusPage, next: PageDraft, lost: readonly string[] = []) =>
    save.mutate(
      { ...changeOf(next, from), unchangedSince: from.updatedAt },
      {
        onSuccess: (page) => {
          take(page);
          const names = new Intl.ListFormat(i18n.language).format(lost);
          showToast("success", lost.length > 0 ? t("savedWithout", { names }) : t("saved"));
        },
      },
    );
  return {
    ...{ base, draft, change, isChanged, save, setPreviewErrors, failure, rebase },
    setDraft: (next: PageDraft) => {
      if (save.error && !isConflict) save.reset();
      setDraft(next);
    },
    submit: () => {
      if (isChanged && !save.isPending) send(base, draft);
    },
    /** Of what was saved, else of what is looked at. */
    errors: save.error ? refused : previewErrors,
    /** Another user has saved since: there are two ways on. */
    isOvertaken: isOutdated && isChanged,
    takeTheirs: () => {
      take(latest);
      save.reset();
    },
    saveMine: () => {
      const mine = draftOver(draft, latest);
      put(latest, mine.draft);
      send(latest, mine.draft, mine.lost);
    },
  };
}

/** A draft and the version of the page under it. */
function useDraft(first: StatusPage) {
  const [base, setBase] = useState(first);
  const [draft, setDraft] = useState(() => draftOf(first));
  const put = (page: StatusPage, next: PageDraft) => {
    setBase(page);
    setDraft(next);
  };
  return {
    ...{ base, draft, setDraft, put },
    take: (page: StatusPage) => put(page, draftOf(page)),
    /** Something of it was saved at once: what is not saved yet stays, and what others saved is not taken back. */
    rebase: (page: StatusPage) => {
      const next = rebasedDraft(draft, base, page);
      if (next !== null) put(page, next);
    },
  };
}

/** Why it could not be saved. After a conflict, the page is read again. */
function useRefusal(id: number, error: Error | null) {
  const client = useQueryClient();
  const isConflict = error instanceof ApiError && error.status === 409;
  useEffect(() => {
    if (isConflict) void client.invalidateQueries({ queryKey: statusPageQuery(id).queryKey });
  }, [isConflict, client, id]);
  const refused = error instanceof ApiError ? error.fields : noErrors;
  const isExplained = isConflict || Object.keys(refused).length > 0;
  return { isConflict, refused, failure: error && !isExplained ? failureOf(error) : null };
}
