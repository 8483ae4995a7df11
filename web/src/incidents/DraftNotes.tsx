import { useTranslation } from "react-i18next";
import { Tick } from "../forms/Tick.tsx";
import { languages } from "../i18n/languages.ts";
import type { Drafting } from "./use-draft.ts";

/** In which languages a draft is, what it has replaced, and whether the form has changed since it was written. */
export function DraftNotes({ drafting }: { drafting: Drafting }) {
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

/** Which of the draft's languages stand in the form; one at least. */
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
