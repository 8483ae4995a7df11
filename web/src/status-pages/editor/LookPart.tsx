import { CircleCheck, ImageUp, TriangleAlert } from "lucide-react";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { sentencesOf } from "../../api/client.ts";
import { useStatusPageAct } from "../../api/status-pages.ts";
import { Button } from "../../components/Button.tsx";
import { Section } from "../../components/Card.tsx";
import { Field, FieldNote, TextArea } from "../../components/Field.tsx";
import { LabelledSelect } from "../../forms/LabelledSelect.tsx";
import { Tick } from "../../forms/Tick.tsx";
import { languageCodes, languages } from "../../i18n/languages.ts";
import { showToast } from "../../toasts.ts";
import type { Contrast } from "./Preview.tsx";
import type { DraftLook, OwnPartProps, PartProps } from "./page-draft.ts";

const themes = ["auto", "light", "dark"] as const;

interface LookPartProps extends PartProps {
  contrast: Contrast;
  onSaved: (page: PartProps["page"]) => void;
}

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

/** The page's own rules; problems are listed line by line. */
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
  /** The first removes all of them; empty: all. */
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

/** What text needs against what is behind it (WCAG 2.2, level AA). */
const enough = 4.5;
const shades = ["light", "dark"] as const;

interface AccentFieldProps {
  accent: string | null;
  errors: string[] | undefined;
  contrast: Contrast;
  onChange: (accent: string | null) => void;
}

/** The color of a page's links, and how well it can be read by day and by night. */
function AccentField({ accent, errors, contrast, onChange }: AccentFieldProps) {
  const { t, i18n } = useTranslation("status-pages/editor");
  // The picker's value before a color is chosen.
  const usual = t("look.accentExample");
  const isColor = accent !== null && /^#[0-9a-f]{6}$/i.test(accent);
  const format = new Intl.NumberFormat(i18n.language, { maximumFractionDigits: 1 });
  return (
    <div className="grid gap-2">
      <div className="grid grid-cols-[auto_minmax(0,1fr)_auto] items-end gap-2">
        <input
          type="color"
          aria-label={t("look.pick")}
          value={isColor ? accent : usual}
          onChange={({ target }) => onChange(target.value)}
          className="control h-9 w-11 cursor-pointer p-1"
        />
        <Field
          label={t("look.accent")}
          value={accent ?? ""}
          errors={errors}
          placeholder={usual}
          maxLength={7}
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          onChange={({ target }) => onChange(target.value.trim() || null)}
        />
        <Button variant="quiet" disabled={accent === null} onClick={() => onChange(null)}>
          {t("look.noAccent")}
        </Button>
      </div>
      {isColor && contrast && (
        <ul className="grid gap-1 text-sm">
          {shades.map((shade) => {
            const isEnough = contrast[shade] >= enough;
            const Icon = isEnough ? CircleCheck : TriangleAlert;
            const ratio = format.format(contrast[shade]);
            return (
              <li key={shade} className={`flex gap-1.5 ${isEnough ? "text-up-ink" : "text-warn-ink"}`}>
                <Icon aria-hidden className="mt-0.75 size-3.5 shrink-0" />
                {t(`look.contrast.${shade}.${isEnough ? "enough" : "low"}`, { ratio })}
              </li>
            );
          })}
        </ul>
      )}
    </div>
  );
}

/** The server validates more exactly; larger files need not be sent at all. */
const mostBytes = 256 * 1024;

/** A page's logo: what is chosen is shown first, and is on the page once that is confirmed. */
function LogoField({ page, onSaved }: OwnPartProps) {
  const { t } = useTranslation("status-pages/editor");
  const act = useStatusPageAct(page.id);
  const chooser = useRef<HTMLInputElement>(null);
  /** A data address. */
  const [chosen, setChosen] = useState<string | null>(null);
  const [isLarge, setLarge] = useState(false);
  const { logoUrl } = page.appearance;
  const take = async (file: File | undefined) => {
    act.reset();
    if (!file) return;
    setLarge(file.size > mostBytes);
    setChosen(file.size > mostBytes ? null : await readAsAddress(file));
  };
  const done = (word: "set" | "removed") => (saved: typeof page) => {
    setChosen(null);
    showToast("success", t(`logo.${word}`));
    onSaved(saved);
  };
  const confirm = () =>
    act.mutate(
      { act: "logo", content: chosen?.replace(/^.*?base64,/, "") ?? "" },
      { onSuccess: done("set") },
    );
  const shown = chosen ?? logoUrl;
  const errors = isLarge ? [t("logo.large")] : act.error ? sentencesOf(act.error) : undefined;
  return (
    <div className="grid gap-2">
      <h3 className="text-sm font-medium">{t("logo.title")}</h3>
      {shown !== null && (
        <div className="grid grid-cols-2 overflow-hidden rounded-md border border-line">
          {["scheme-light", "scheme-dark"].map((theme) => (
            <div key={theme} className={`grid min-h-20 place-items-center bg-page p-4 ${theme}`}>
              <img src={shown} alt={page.name} className="max-h-12 max-w-full" />
            </div>
          ))}
        </div>
      )}
      <FieldNote id={`logo-${page.id}`} hint={t("logo.hint")} errors={errors} />
      <input
        ref={chooser}
        type="file"
        hidden
        accept="image/png,image/jpeg,image/webp,image/gif,image/svg+xml"
        onChange={({ target }) => {
          void take(target.files?.[0]);
          target.value = "";
        }}
      />
      <div className="flex flex-wrap gap-2">
        {chosen === null ? (
          <>
            <Button variant="quiet" onClick={() => chooser.current?.click()}>
              <ImageUp aria-hidden className="-ml-0.5 size-4" />
              {t(logoUrl === null ? "logo.choose" : "logo.change")}
            </Button>
            {logoUrl !== null && (
              <Button
                variant="quiet"
                busy={act.isPending}
                onClick={() => act.mutate({ act: "noLogo" }, { onSuccess: done("removed") })}
              >
                {t("logo.remove")}
              </Button>
            )}
          </>
        ) : (
          <>
            <Button busy={act.isPending} onClick={confirm}>
              {t("logo.use")}
            </Button>
            <Button variant="quiet" onClick={() => setChosen(null)}>
              {t("logo.drop")}
            </Button>
          </>
        )}
      </div>
    </div>
  );
}

const readAsAddress = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => resolve(reader.result as string));
    reader.addEventListener("error", () => reject(reader.error ?? new Error("unreadable")));
    reader.readAsDataURL(file);
  });
