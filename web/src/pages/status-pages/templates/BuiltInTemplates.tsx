import { useQuery } from "@tanstack/react-query";
import { Copy } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useMayWrite } from "../../../api/roles.ts";
import { type BuiltInTemplate, builtInTemplatesQuery } from "../../../api/update-templates.ts";
import { ButtonLink } from "../../../components/ButtonLink.tsx";
import { Loaded } from "../../../components/Loaded.tsx";
import { Section } from "../../../components/Section.tsx";
import { type Column, Table } from "../../../components/Table.tsx";
import { TextInLanguage } from "./TextInLanguage.tsx";

const keyOf = ({ template }: BuiltInTemplate) => template;

/** The templates that everybody has, to read and to begin one's own with. */
export function BuiltInTemplates() {
  const { t } = useTranslation("status-pages/templates");
  const mayWrite = useMayWrite();
  const query = useQuery(builtInTemplatesQuery);
  const says = ({ texts }: BuiltInTemplate) => <TextInLanguage texts={texts} />;
  const columns: Column<BuiltInTemplate>[] = [
    {
      id: "name",
      head: t("column.name"),
      cell: ({ template }) => <span className="font-medium">{t(`builtIn.${template}`)}</span>,
      names: true,
      width: "@lg:w-60",
    },
    { id: "says", head: t("column.says"), cell: says, wide: true },
  ];
  if (mayWrite) {
    columns.push({
      id: "actions",
      head: <span className="sr-only">{t("column.actions")}</span>,
      align: "end",
      width: "w-16",
      cell: ({ template }) => <CopyLink template={template} />,
    });
  }
  return (
    <Section title={t("builtIn.title")}>
      <Loaded
        of={query}
        failed={t("failed")}
        loading={<Table columns={columns} rows={undefined} keyOf={keyOf} />}
      >
        {(templates) => <Table columns={columns} rows={templates} keyOf={keyOf} note={says} />}
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
