import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { PenLine } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { builtInTemplates, updateTemplatesQuery } from "../api/update-templates.ts";
import { Button } from "../components/Button.tsx";
import { FailureCallout, failureOf } from "../components/Callout.tsx";
import { useNow } from "../components/use-now.ts";
import { Select } from "../forms/Select.tsx";
import { Tick } from "../forms/Tick.tsx";
import { formatMoment } from "../i18n/format.ts";
import { languages } from "../i18n/languages.ts";
import type { Drafting } from "./use-draft.ts";

interface DraftToolsProps {
  drafting: Drafting;
  /** When all of it was announced, if nothing has happened since; null: there is something to announce. */
  unchangedSince: string | null;
}

/** Writes the suggested texts into the form, and announces them. */
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
      <FailureCallout of={drafting.error && failureOf(drafting.error)} />
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

/** In which languages a draft is, what it has replaced, and whether the form has changed since it was written. */
function DraftNotes({ drafting }: { drafting: Drafting }) {
  const { t, i18n } = useTranslation("incidents");
  const { written, isOld, canUndo } = drafting;
  if (!written) return null;
  const names = written.languages.map((code) => languages[code]);
  return (
    <>
      <p role="status" className="text-ink-muted">
        {t("draft.done", { languages: new Intl.ListFormat(i18n.language).format(names) })}
      </p>
      {written.texts.length > 1 && <Languages drafting={drafting} />}
      {canUndo && <Way text={t("draft.replaced")} label={t("draft.undo")} onTake={drafting.undo} />}
      {isOld && (
        <Way text={t("draft.old")} label={t("draft.again")} onTake={() => drafting.write(written.template)} />
      )}
    </>
  );
}

/** Which of the draft's languages are in the form; one at least. */
function Languages({ drafting: { written, speak } }: { drafting: Drafting }) {
  const { t } = useTranslation("incidents");
  const chosen = written?.languages ?? [];
  return (
    <fieldset className="flex flex-wrap gap-x-5 gap-y-2">
      <legend className="sr-only">{t("draft.languages")}</legend>
      {written?.texts.map(({ language }) => (
        <Tick
          key={language}
          type="checkbox"
          checked={chosen.includes(language)}
          disabled={chosen.length === 1 && chosen.includes(language)}
          onChange={(on) => speak(on ? [...chosen, language] : chosen.filter((one) => one !== language))}
        >
          <span lang={language}>{languages[language]}</span>
        </Tick>
      ))}
    </fieldset>
  );
}

function Way({ text, label, onTake }: { text: string; label: string; onTake: () => void }) {
  return (
    <p className="flex flex-wrap gap-x-2 text-warn-ink" role="status">
      {text}
      <button
        type="button"
        onClick={(event) => {
          // It goes away, and what it was about is in the form's text.
          event.currentTarget.form?.querySelector("textarea")?.focus();
          onTake();
        }}
        className="rounded-sm font-medium text-ink underline underline-offset-4"
      >
        {label}
      </button>
    </p>
  );
}
