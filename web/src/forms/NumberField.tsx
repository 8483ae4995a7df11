import { useTranslation } from "react-i18next";
import { FieldFrame } from "./FieldFrame.tsx";
import { type FieldProps, useField } from "./form-context.ts";

/**
 * A number with its unit. A text box with the keys for numbers: a browser's own number box loses what it
 * cannot read, and turns with the wheel.
 */
export function NumberField({ bare, draft, onChange, ...props }: FieldProps<string>) {
  const { t } = useTranslation("forms");
  const field = useField(props);
  const set = (next: string) => {
    field.changed();
    onChange(next);
  };
  const whole = props.schema.type === "integer";
  return (
    <FieldFrame field={field} bare={bare}>
      <div className="flex flex-wrap items-center gap-2.5">
        <input
          {...field.control}
          type="text"
          inputMode={whole ? "numeric" : "decimal"}
          value={draft}
          placeholder={field.placeholder}
          autoComplete="off"
          onChange={(event) => set(event.target.value)}
          className="control w-28 tabular-nums"
        />
        {field.unit && <span className="text-sm text-ink-muted">{field.unit}</span>}
        {field.presets.length > 0 && (
          <div role="group" aria-label={t("presets")} className="flex flex-wrap gap-1">
            {field.presets.map(({ value, label }) => (
              <button
                key={value}
                type="button"
                aria-pressed={value === draft}
                onClick={() => set(value)}
                className="h-7 rounded-full border border-line-strong px-2.5 text-xs text-ink-muted transition-colors hover:text-ink aria-pressed:border-ink-muted aria-pressed:bg-hover aria-pressed:font-medium aria-pressed:text-ink"
              >
                {label}
              </button>
            ))}
          </div>
        )}
      </div>
    </FieldFrame>
  );
}
