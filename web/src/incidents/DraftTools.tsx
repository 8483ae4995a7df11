import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { PenLine } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { builtInTemplates, updateTemplatesQuery } from "../api/update-templates.ts";
import { Button } from "../components/Button.tsx";
import { FailureNotice } from "../components/FailureNotice.tsx";
import { failureOf } from "../components/failure.ts";
import { useNow } from "../components/use-now.ts";
import { Select } from "../forms/Select.tsx";
import { formatMoment } from "../i18n/format.ts";
import { DraftNotes } from "./DraftNotes.tsx";
import type { Drafting } from "./use-draft.ts";

interface DraftToolsProps {
  drafting: Drafting;
  /** When all of it was told, if nothing has happened since; null: there is something new to tell. */
  unchangedSince: string | null;
}

/** Writes what could be told into the form, and says what stands there then. */
export function DraftTools({ drafting, unchangedSince }: DraftToolsProps) {
  const { t, i18n } = useTranslation("incidents");
  const now = useNow();
  const [template, setTemplate] = useState("");
  const { data: own = [] } = useQuery(updateTemplatesQuery);
  const groups = [
    { label: t("draft.own"), options: own.map(({ id, name }) => [String(id), name] as const) },
    {
      label: t("draft.builtIn"),
      options: builtInTemplates.map(
        (name) => [name, name === "maintenance" ? t("draft.maintenance") : t(`status.${name}`)] as const,
      ),
    },
  ];
  return (
    <div className="grid gap-2 text-sm">
      <FailureNotice of={drafting.error && failureOf(drafting.error)} />
      <div className="flex flex-wrap items-center gap-2">
        <Button variant="quiet" busy={drafting.isWriting} onClick={() => drafting.write(template)}>
          <PenLine aria-hidden className="-ml-0.5 size-4" />
          {t("draft.write")}
        </Button>
        <Select
          aria-label={t("draft.template")}
          className="w-52!"
          value={template}
          options={[["", t("draft.fitting")]]}
          groups={groups.filter(({ options }) => options.length > 0)}
          onChange={setTemplate}
        />
        <Link
          to="/status-pages/templates"
          target="_blank"
          className="rounded-sm text-ink-muted underline underline-offset-4 hover:text-ink"
        >
          {t("draft.edit")}
        </Link>
      </div>
      {unchangedSince !== null && (
        <p role="status" className="text-ink-muted">
          {t("draft.unchanged", { time: formatMoment(unchangedSince, now, i18n.language) })}
        </p>
      )}
      {drafting.isMissing && (
        <p role="status" className="text-warn-ink">
          {t("draft.missing")}
        </p>
      )}
      <DraftNotes drafting={drafting} />
    </div>
  );
}
