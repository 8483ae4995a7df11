import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { ApiError, type FieldErrors } from "../../api/client.ts";
import { type StatusPage, statusPageQuery, useChangeStatusPage } from "../../api/status-pages.ts";
import { failureOf } from "../../components/failure.ts";
import { showToast } from "../../toasts.ts";
import { changeOf, draftOf, draftOver, type PageDraft, rebasedDraft } from "./page-draft.ts";

const noErrors: FieldErrors = {};

/** What stands in a page's editor, against the version of the page that it was made from. */
export function usePageDraft(latest: StatusPage) {
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
    /** Somebody else has saved since: there are two ways on. */
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

/** Why it could not be saved. Where somebody else was first, the page is read again. */
function useRefusal(id: number, error: Error | null) {
  const client = useQueryClient();
  const isConflict = error instanceof ApiError && error.status === 409;
  useEffect(() => {
    if (isConflict) void client.invalidateQueries({ queryKey: statusPageQuery(id).queryKey });
  }, [isConflict, client, id]);
  const refused = error instanceof ApiError ? error.fields : noErrors;
  const isTold = isConflict || Object.keys(refused).length > 0;
  return { isConflict, refused, failure: error && !isTold ? failureOf(error) : null };
}
