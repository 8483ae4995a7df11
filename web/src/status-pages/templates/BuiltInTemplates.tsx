import { useQuery } from "@tanstack/react-query";
import { Copy } from "lucide-react";
import { useTranslation } from "react-i18next";
import { type BuiltInTemplate, builtInTemplatesQuery } from "../../api/update-templates.ts";
import { ButtonLink } from "../../components/ButtonLink.tsx";
import { Loaded } from "../../components/Loaded.tsx";
import { Section } from "../../components/Section.tsx";
import { TemplateTable } from "./TemplateTable.tsx";

/** The templates that everybody has, to read and to begin one's own with. */
export function BuiltInTemplates() {
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
