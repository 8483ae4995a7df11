import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Copy, FileText, Plus, Trash2 } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { useMayWrite } from "../../api/roles.ts";
import {
  type BuiltInTemplate,
  builtInTemplatesQuery,
  type TemplateText,
  type UpdateTemplate,
  updateTemplatesQuery,
  useDeleteTemplate,
} from "../../api/update-templates.ts";
import { ButtonLink, IconButton } from "../../components/Button.tsx";
import { Section } from "../../components/Card.tsx";
import { DeleteDialog } from "../../components/ConfirmDialog.tsx";
import { focusPage } from "../../components/focus.ts";
import { EmptyState, Loaded } from "../../components/Loaded.tsx";
import { PageBar, usePageTitle } from "../../components/PageBar.tsx";
import { type Column, Table } from "../../components/Table.tsx";
import { inReadersLanguage } from "../../i18n/i18n.ts";
import { languages } from "../../i18n/languages.ts";
import type english from "./en.json";

declare module "../../i18n/texts.ts" {
  interface PageTexts {
    "status-pages/templates": typeof english;
  }
}

/** What drafts of updates are made from: the organization's own templates, and those that everybody has. */
export function TemplatesPage() {
  const { t } = useTranslation(["status-pages/templates", "status-pages"]);
  usePageTitle(t("title"));
  const mayWrite = useMayWrite();
  const query = useQuery(updateTemplatesQuery);
  return (
    <>
      <PageBar heading crumbs={[{ label: t("status-pages:title"), to: "/status-pages" }]} title={t("title")}>
        {mayWrite && (
          <ButtonLink to="/status-pages/templates/new" className="max-sm:px-2.5">
            <Plus aria-hidden className="size-4 sm:-ml-0.5" />
            <span className="max-sm:sr-only">{t("create")}</span>
          </ButtonLink>
        )}
      </PageBar>
      <p className="mb-4 max-w-3xl text-pretty text-ink-muted">{t("text")}</p>
      <div className="grid gap-4">
        <Section title={t("own")}>
          <Loaded
            of={query}
            failed={t("failed")}
            loading={<TemplateList templates={undefined} />}
            empty={
              <EmptyState
                icon={<FileText aria-hidden className="size-7" strokeWidth={1.25} />}
                title={t("none.title")}
                text={t(mayWrite ? "none.text" : "none.readOnly")}
              />
            }
          >
            {(templates) => <TemplateList templates={templates} />}
          </Loaded>
        </Section>
        <BuiltInTemplates />
      </div>
    </>
  );
}

/** The templates that everybody has, to read and to begin one's own with. */
function BuiltInTemplates() {
  const { t } = useTranslation("status-pages/templates");
  const query = useQuery(builtInTemplatesQuery);
  const table = (templates: readonly BuiltInTemplate[] | undefined) => (
    <TemplateTable
      templates={templates}
      keyOf={({ template }) => template}
      name={({ template }) => <span className="font-medium">{t(`builtIn.${template}`)}</span>}
      action={({ template }) => <CopyLink template={template} />}
    />
  );
  return (
    <Section title={t("builtIn.title")}>
      <Loaded of={query} failed={t("failed")} loading={table(undefined)}>
        {table}
      </Loaded>
    </Section>
  );
}

function CopyLink({ template }: Pick<BuiltInTemplate, "template">) {
  const { t } = useTranslation("status-pages/templates");
  const label = t("copy", { name: t(`builtIn.${template}`) });
  return (
    <ButtonLink
      to="/status-pages/templates/new"
      search={{ copy: template }}
      aria-label={label}
      title={label}
      className="-my-1.5 -mr-2 size-9 border-transparent! px-0! text-ink-muted! shadow-none!"
    >
      <Copy aria-hidden className="size-4" />
    </ButtonLink>
  );
}

/** One template a row, with what it says. `templates`: undefined while they are on their way. */
function TemplateList({ templates }: { templates: readonly UpdateTemplate[] | undefined }) {
  const { t } = useTranslation("status-pages/templates");
  const mayWrite = useMayWrite();
  const [deleting, setDeleting] = useState<UpdateTemplate | null>(null);
  const deletion = useDeleteTemplate();
  return (
    <>
      <TemplateTable
        templates={templates}
        keyOf={({ id }) => id}
        name={(template) => <Name of={template} canChange={mayWrite} />}
        action={(template) => (
          <IconButton
            label={t("delete.of", { name: template.name })}
            className="-my-1.5 -mr-2"
            onClick={() => setDeleting(template)}
          >
            <Trash2 aria-hidden className="size-4" />
          </IconButton>
        )}
      />
      {deleting && (
        <DeleteDialog
          id={deleting.id}
          words={{
            title: t("delete.title", { name: deleting.name }),
            text: t("delete.text"),
            done: t("delete.done", { name: deleting.name }),
          }}
          deletion={deletion}
          focusInstead={focusPage}
          onDone={() => setDeleting(null)}
        />
      )}
    </>
  );
}

function Name({ of: { id, name, texts }, canChange }: { of: UpdateTemplate; canChange: boolean }) {
  const spoken = texts.map(({ language }) => languages[language]);
  return (
    <>
      {canChange ? (
        <Link
          to="/status-pages/templates/$id"
          params={{ id: String(id) }}
          className="rounded-sm font-medium wrap-anywhere underline-offset-4 hover:underline"
        >
          {name}
        </Link>
      ) : (
        <span className="font-medium wrap-anywhere">{name}</span>
      )}
      <div className="text-xs font-normal text-ink-faint">{spoken.join(" · ")}</div>
    </>
  );
}

interface TemplateTableProps<Row> {
  /** Undefined while they are on their way. */
  templates: readonly Row[] | undefined;
  keyOf: (template: Row) => string | number;
  name: (template: Row) => ReactNode;
  /** What can be done with one, for those who may change templates. */
  action: (template: Row) => ReactNode;
}

/** One template a row: what it is called, what it says, and what can be done with it. */
function TemplateTable<Row extends { texts: TemplateText[] }>({
  templates,
  keyOf,
  name,
  action,
}: TemplateTableProps<Row>) {
  const { t } = useTranslation("status-pages/templates");
  const mayWrite = useMayWrite();
  const says = ({ texts }: Row) => <TextInLanguage texts={texts} />;
  const columns: Column<Row>[] = [
    { id: "name", head: t("column.name"), cell: name, names: true, width: "@lg:w-60" },
    { id: "says", head: t("column.says"), cell: says, wide: true },
  ];
  if (mayWrite) {
    const head = <span className="sr-only">{t("column.actions")}</span>;
    columns.push({ id: "actions", head, align: "end", width: "w-16", cell: action });
  }
  return <Table columns={columns} rows={templates} keyOf={keyOf} note={says} />;
}

/** What a template says, in the reader's language where it has that. */
function TextInLanguage({ texts }: { texts: readonly TemplateText[] }) {
  const text = inReadersLanguage(texts);
  if (!text) return null;
  return (
    <div lang={text.language} className="max-w-3xl wrap-anywhere whitespace-pre-line text-ink-muted">
      {text.title !== "" && <div className="font-medium">{text.title}</div>}
      {text.message}
    </div>
  );
}
