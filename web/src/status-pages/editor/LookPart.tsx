import { useTranslation } from "react-i18next";
import { Section } from "../../components/Section.tsx";
import { TextArea } from "../../components/TextArea.tsx";
import { LabelledSelect } from "../../forms/LabelledSelect.tsx";
import { Tick } from "../../forms/Tick.tsx";
import { languageCodes, languages } from "../../i18n/languages.ts";
import { AccentField } from "./AccentField.tsx";
import { LogoField } from "./LogoField.tsx";
import type { Contrast } from "./Preview.tsx";
import type { DraftLook } from "./page-draft.ts";
import type { PartProps } from "./part-props.ts";

const themes = ["auto", "light", "dark"] as const;

interface LookPartProps extends PartProps {
  contrast: Contrast;
  onSaved: (page: PartProps["page"]) => void;
}

/** How a page looks: its theme, its color, its logo, what stands at its end, and a style sheet of its own. */
export function LookPart({ page, draft, errors, contrast, onChange, onSaved }: LookPartProps) {
  const { t } = useTranslation("status-pages/editor");
  const look = draft.appearance;
  const change = (more: Partial<DraftLook>) => onChange({ ...draft, appearance: { ...look, ...more } });
  return (
    <Section title={t("part.look")}>
      <div className="grid gap-5 px-4 pb-5">
        <LogoField page={page} onSaved={onSaved} />
        <LabelledSelect
          label={t("look.theme")}
          value={look.theme}
          options={themes.map((name) => [name, t(`look.themes.${name}`)])}
          onChange={(theme) => change({ theme: theme as DraftLook["theme"] })}
        />
        <AccentField
          accent={look.accent}
          errors={errors["appearance.accent"]}
          contrast={contrast}
          onChange={(accent) => change({ accent })}
        />
        <Languages chosen={look.languages} onChange={(chosen) => change({ languages: chosen })} />
        <TextArea
          label={t("look.footer")}
          hint={t("look.footerHint")}
          rows={3}
          maxLength={2_000}
          value={look.footer}
          errors={errors["appearance.footer"]}
          onChange={({ target }) => change({ footer: target.value })}
        />
        <StyleSheet css={look.css} errors={errors["appearance.css"]} onChange={(css) => change({ css })} />
      </div>
    </Section>
  );
}

interface StyleSheetProps {
  css: string;
  errors: string[] | undefined;
  onChange: (css: string) => void;
}

/** Rules of the page's own; what is wrong is told line by line. */
function StyleSheet({ css, errors = [], onChange }: StyleSheetProps) {
  const { t } = useTranslation("status-pages/editor");
  return (
    <div className="grid gap-1.5">
      <TextArea
        label={t("look.css")}
        hint={t("look.cssHint")}
        rows={6}
        value={css}
        aria-invalid={errors.length > 0 || undefined}
        autoCapitalize="none"
        spellCheck={false}
        onChange={({ target }) => onChange(target.value)}
        className="font-mono text-sm"
      />
      {errors.length > 0 && (
        <div role="alert">
          <ul className="grid gap-1 text-sm wrap-anywhere text-down-ink">
            {errors.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}

interface LanguagesProps {
  /** The first is for those who ask for none of them; empty: all. */
  chosen: DraftLook["languages"];
  onChange: (chosen: DraftLook["languages"]) => void;
}

function Languages({ chosen, onChange }: LanguagesProps) {
  const { t } = useTranslation("status-pages/editor");
  const offered = chosen.length === 0 ? languageCodes : chosen;
  const toggle = (code: (typeof languageCodes)[number], on: boolean) => {
    const next = on ? [...offered, code] : offered.filter((one) => one !== code);
    if (next.length > 0) onChange(next);
  };
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1.5 text-sm font-medium">{t("look.languages")}</legend>
      <div className="flex flex-wrap gap-x-5 gap-y-2">
        {languageCodes.map((code) => (
          <Tick
            key={code}
            type="checkbox"
            checked={offered.includes(code)}
            onChange={(on) => toggle(code, on)}
          >
            <span lang={code}>{languages[code]}</span>
          </Tick>
        ))}
      </div>
      <LabelledSelect
        label={t("look.firstLanguage")}
        value={offered[0] ?? "en"}
        options={languageCodes
          .filter((code) => offered.includes(code))
          .map((code) => [code, languages[code]])}
        onChange={(first) =>
          onChange([...offered].toSorted((a, b) => Number(b === first) - Number(a === first)))
        }
      />
    </fieldset>
  );
}
