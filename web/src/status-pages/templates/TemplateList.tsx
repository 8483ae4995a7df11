import { Link } from "@tanstack/react-router";
import { Trash2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useMayWrite } from "../../api/roles.ts";
import { type UpdateTemplate, useDeleteTemplate } from "../../api/update-templates.ts";
import { IconButton } from "../../components/Button.tsx";
import { DeleteDialog } from "../../components/DeleteDialog.tsx";
import { focusPage } from "../../components/focus-page.ts";
import { languages } from "../../i18n/languages.ts";
import { TemplateTable } from "./TemplateTable.tsx";

/** One template a row, with what it says. `templates`: undefined while they are on their way. */
export function TemplateList({ templates }: { templates: readonly UpdateTemplate[] | undefined }) {
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
