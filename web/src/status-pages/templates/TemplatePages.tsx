import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { useMayWrite, useRole } from "../../api/roles.ts";
import {
  builtInTemplates,
  builtInTemplatesQuery,
  type UpdateTemplate,
  updateTemplateQuery,
} from "../../api/update-templates.ts";
import { focusPage } from "../../components/focus.ts";
import { Loaded, Refused, Skeleton } from "../../components/Loaded.tsx";
import { PageBar, usePageTitle } from "../../components/PageBar.tsx";
import { currentLanguage } from "../../i18n/i18n.ts";
import { showToast } from "../../toasts.ts";
import { TemplateForm } from "./TemplateForm.tsx";

function useDone(word: "created" | "saved") {
  const { t } = useTranslation("status-pages/templates");
  const navigate = useNavigate();
  return ({ name }: UpdateTemplate) => {
    showToast("success", t(`done.${word}`, { name }));
    void navigate({ to: "/status-pages/templates" }).then(focusPage);
  };
}

/** A template that is to be made: of nothing, or of a built-in one. */
export function NewTemplatePage() {
  const { t } = useTranslation("status-pages/templates");
  usePageTitle(t("create"));
  const role = useRole();
  const mayWrite = useMayWrite();
  const { copy } = useSearch({ from: "/app/status-pages/templates/new" });
  return (
    <>
      <TemplateBar title={t("create")} />
      {!mayWrite ? <Refused role={role} /> : copy === undefined ? <EmptyForm /> : <CopiedForm of={copy} />}
    </>
  );
}

function EmptyForm() {
  const done = useDone("created");
  const text = { language: currentLanguage(), title: "", message: "" };
  return <TemplateForm id={null} start={{ name: "", texts: [text] }} onSaved={done} />;
}

function CopiedForm({ of: wanted }: { of: string }) {
  const { t } = useTranslation("status-pages/templates");
  const done = useDone("created");
  const query = useQuery(builtInTemplatesQuery);
  const name = builtInTemplates.find((one) => one === wanted);
  return (
    <Loaded of={query} failed={t("failed")} loading={<Skeleton className="h-64 w-full" />}>
      {(known) => {
        const texts = known.find(({ template }) => template === name)?.texts;
        if (!name || !texts) return <EmptyForm />;
        return <TemplateForm id={null} start={{ name: t(`builtIn.${name}`), texts }} onSaved={done} />;
      }}
    </Loaded>
  );
}

/** One of the organization's templates, for those who may change it. */
export function TemplatePage() {
  const { t } = useTranslation("status-pages/templates");
  const id = Number(useParams({ strict: false }).id);
  const role = useRole();
  const mayWrite = useMayWrite();
  const query = useQuery({ ...updateTemplateQuery(id), enabled: mayWrite });
  const done = useDone("saved");
  const title = query.data?.name ?? t("title");
  usePageTitle(title);
  return (
    <>
      <TemplateBar title={title} />
      {mayWrite ? (
        <Loaded
          of={query}
          failed={t("failedOne")}
          gone={<p className="text-ink-muted">{t("gone")}</p>}
          loading={<Skeleton className="h-64 w-full" />}
        >
          {(template) => <TemplateForm key={template.id} id={template.id} start={template} onSaved={done} />}
        </Loaded>
      ) : (
        <Refused role={role} />
      )}
    </>
  );
}

function TemplateBar({ title }: { title: string }) {
  const { t } = useTranslation(["status-pages/templates", "status-pages"]);
  return (
    <PageBar
      heading
      crumbs={[
        { label: t("status-pages:title"), to: "/status-pages" },
        { label: t("title"), to: "/status-pages/templates" },
      ]}
      title={title}
    />
  );
}
