import { useNavigate, useSearch } from "@tanstack/react-router";
import { CircleAlert } from "lucide-react";
import { type ReactNode, useCallback, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ShownPreview, StatusPage } from "../../api/status-pages.ts";
import { Button } from "../../components/Button.tsx";
import { FailureNotice } from "../../components/FailureNotice.tsx";
import { PageBar } from "../../components/PageBar.tsx";
import { useMedia } from "../../components/use-media.ts";
import { LeaveGuard } from "../../forms/LeaveGuard.tsx";
import { FilterButtons } from "../../list/FilterButtons.tsx";
import { type PagePart, pageParts } from "../search.ts";
import { AboutPart } from "./AboutPart.tsx";
import { AccessPart } from "./AccessPart.tsx";
import { AddressPart } from "./AddressPart.tsx";
import { ChangedElsewhere } from "./ChangedElsewhere.tsx";
import { ContentsPart } from "./ContentsPart.tsx";
import { DomainPart } from "./DomainPart.tsx";
import { LookPart } from "./LookPart.tsx";
import { OpenLink } from "./OpenLink.tsx";
import { type Contrast, Preview } from "./Preview.tsx";
import { SubscribersPart } from "./SubscribersPart.tsx";
import { usePageDraft } from "./use-page-draft.ts";
import { partsWith, useWrongPart } from "./use-wrong-part.ts";

const none: readonly string[] = [];

/** The editor of a page: its parts, what visitors would see, and what saves all of it. `latest`: as it was last read. */
export function PageEditor({ latest }: { latest: StatusPage }) {
  const { t } = useTranslation(["status-pages/editor", "status-pages", "shared"]);
  const { part = "contents" } = useSearch({ from: "/app/status-pages/$id" });
  const editing = usePageDraft(latest);
  const { draft, change, base, isChanged, save, errors, failure } = editing;
  const [contrast, setContrast] = useState<Contrast>(null);
  const [kept, setKept] = useState<ShownPreview>();
  // What was saved is no change any more.
  const saved = useRef(false);
  const choosePart = useChoosePart();
  const box = useWrongPart({ error: save.error, errors, part, onPart: choosePart });
  const isWide = useMedia("(min-width: 80rem)");
  const preview = useMemo(
    () => (
      <Preview
        {...{ page: base, change, kept, onKept: setKept }}
        onErrors={editing.setPreviewErrors}
        onContrast={setContrast}
      />
    ),
    [base, change, kept, editing.setPreviewErrors],
  );
  const props = { draft, errors, page: base, onChange: editing.setDraft };
  const parts: Record<PagePart, ReactNode> = {
    contents: <ContentsPart {...props} refusal={save.error} revealing={kept?.revealing ?? none} />,
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
        <FailureNotice of={failure} />
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

/** Shows a part, as the address then says. */
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
