import { CircleCheck, TriangleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button } from "../../components/Button.tsx";
import { Field } from "../../components/Field.tsx";
import type { Contrast } from "./Preview.tsx";

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
export function AccentField({ accent, errors, contrast, onChange }: AccentFieldProps) {
  const { t, i18n } = useTranslation("status-pages/editor");
  // What stands in the picker before a color is chosen.
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
