import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { FileText, PanelsTopLeft, Plus, SearchX } from "lucide-react";
import { type FormEvent, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { useMayWrite } from "../api/roles.ts";
import {
  type StatusPage,
  type StatusPagesView,
  statusPagesQuery,
  suggestedSlugQuery,
  useCreateStatusPage,
} from "../api/status-pages.ts";
import { Button, ButtonLink } from "../components/Button.tsx";
import { FailureCallout } from "../components/Callout.tsx";
import { Card } from "../components/Card.tsx";
import { Dialog, DialogButtons } from "../components/Dialog.tsx";
import { Field } from "../components/Field.tsx";
import { useFocusBack } from "../components/focus.ts";
import { EmptyState, Loaded } from "../components/Loaded.tsx";
import { PageBar, usePageTitle } from "../components/PageBar.tsx";
import { type Shortcut, useShortcuts } from "../components/shortcuts.ts";
import { useFormErrors } from "../components/use-form-errors.ts";
import { useDebounced } from "../components/use-now.ts";
import { browserTimeZone } from "../i18n/format.ts";
import { DataList } from "../list/DataList.tsx";
import { SearchBox } from "../list/ListFilters.tsx";
import { ListSkeleton } from "../list/ListRow.tsx";
import { type RowRange, useListRows } from "../list/use-list-rows.ts";
import { DeletePageDialog } from "./DeletePageDialog.tsx";
import type english from "./en.json";
import { SlugField } from "./SlugField.tsx";
import { usePageList } from "./use-page-list.tsx";

declare module "../i18n/texts.ts" {
  interface PageTexts {
    "status-pages": typeof english;
  }
}

/** As fast as anybody types, and no request for every letter of it. */
const typingMs = 120;
const noRows: RowRange = { first: 0, last: 0 };
const nothing = () => {};

export function StatusPagesPage() {
  const { t } = useTranslation("status-pages");
  usePageTitle(t("title"));
  const mayWrite = useMayWrite();
  const { q = "" } = useSearch({ from: "/app/status-pages" });
  const search = useDebounced(q.trim(), typingMs);
  const view = useMemo((): StatusPagesView => ({ search }), [search]);
  const [inSight, setInSight] = useState(noRows);
  const [isCreating, setCreating] = useState(false);
  const [deleting, setDeleting] = useState<StatusPage | null>(null);
  const rows = useListRows(statusPagesQuery, view, inSight);
  const list = usePageList(setDeleting);
  const navigate = useNavigate();
  const look = (next: string) =>
    void navigate({
      to: "/status-pages",
      search: next ? { q: next } : {},
      replace: true,
      resetScroll: false,
    });
  const shortcuts = useMemo(
    (): Shortcut[] =>
      mayWrite ? [{ keys: "n", text: t("create.title"), group: "page", run: () => setCreating(true) }] : [],
    [mayWrite, t],
  );
  useShortcuts(shortcuts);
  const add = mayWrite && (
    <Button variant="quiet" onClick={() => setCreating(true)}>
      <Plus aria-hidden className="-ml-0.5 size-4" />
      {t("create.title")}
    </Button>
  );
  const isNone = rows.total.data === 0 && rows.view.search === "";
  return (
    <>
      <PageBar heading title={t("title")}>
        {!isNone && add}
      </PageBar>
      {!isNone && (
        <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
          <SearchBox label={t("search")} search={q} onSearch={look} />
          <ButtonLink to="/status-pages/templates">
            <FileText aria-hidden className="-ml-0.5 size-4" />
            {t("templates")}
          </ButtonLink>
        </div>
      )}
      <Loaded of={rows.total} failed={t("failed")} loading={<ListSkeleton list={list} />}>
        {(total) =>
          total > 0 ? (
            <DataList
              list={list}
              sort=""
              total={total}
              itemAt={rows.itemAt}
              onSight={setInSight}
              onAttention={nothing}
              onUpdate={undefined}
              onSort={nothing}
            />
          ) : (
            <Card>
              {isNone ? (
                <EmptyState
                  icon={<PanelsTopLeft aria-hidden className="size-7" strokeWidth={1.25} />}
                  title={t("empty.title")}
                  text={t(mayWrite ? "empty.text" : "empty.readOnly")}
                >
                  {add}
                </EmptyState>
              ) : (
                <EmptyState
                  icon={<SearchX aria-hidden className="size-6" strokeWidth={1.5} />}
                  title={t("nothingFits.title")}
                  text={t("nothingFits.text")}
                >
                  <Button variant="quiet" onClick={() => look("")}>
                    {t("nothingFits.clear")}
                  </Button>
                </EmptyState>
              )}
            </Card>
          )
        }
      </Loaded>
      {isCreating && <CreateDialog onClose={() => setCreating(false)} />}
      {deleting && <DeletePageDialog page={deleting} onDone={() => setDeleting(null)} />}
    </>
  );
}

/** Keystrokes within this time are one request. */
const quietMs = 250;

/** Makes a page, and leads to its editor. */
function CreateDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation("status-pages");
  const create = useCreateStatusPage();
  const navigate = useNavigate();
  const focusBack = useFocusBack();
  const { form, fields, failure } = useFormErrors(create.error, ["name", "slug"]);
  const [name, setName] = useState("");
  /** Null: none was typed, and the one that fits the name is taken. */
  const [typed, setTyped] = useState<string | null>(null);
  const debounced = useDebounced(name.trim(), quietMs);
  const suggested = useQuery({
    ...suggestedSlugQuery(debounced),
    enabled: debounced !== "" && typed === null,
  });
  const slug = typed ?? (debounced === "" ? "" : (suggested.data ?? ""));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    create.mutate(
      { name, slug, timeZone: browserTimeZone() },
      {
        onSuccess: ({ id }) => void navigate({ to: "/status-pages/$id", params: { id: String(id) } }),
      },
    );
  };
  return (
    <Dialog title={t("create.title")} text={t("create.text")} onLeft={focusBack} onClose={onClose}>
      <form ref={form} onSubmit={submit} noValidate className="mt-4 grid gap-5">
        <FailureCallout of={failure} />
        <Field
          label={t("create.name")}
          hint={t("create.nameHint")}
          errors={fields.name}
          value={name}
          maxLength={255}
          autoComplete="off"
          onChange={({ target }) => setName(target.value)}
        />
        <SlugField slug={slug} isOwn={typed === null} errors={fields.slug} onChange={setTyped} />
        <DialogButtons onCancel={onClose}>
          <Button type="submit" busy={create.isPending}>
            {t("create.submit")}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  );
}
