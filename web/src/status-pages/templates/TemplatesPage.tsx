import { useQuery } from "@tanstack/react-query";
import { FileText, Plus } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useMayWrite } from "../../api/roles.ts";
import { updateTemplatesQuery } from "../../api/update-templates.ts";
import { ButtonLink } from "../../components/ButtonLink.tsx";
import { EmptyState } from "../../components/EmptyState.tsx";
import { Loaded } from "../../components/Loaded.tsx";
import { PageBar } from "../../components/PageBar.tsx";
import { Section } from "../../components/Section.tsx";
import { usePageTitle } from "../../components/use-page-title.ts";
import { BuiltInTemplates } from "./BuiltInTemplates.tsx";
import type english from "./en.json";
import { TemplateList } from "./TemplateList.tsx";

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
