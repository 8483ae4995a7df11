import { Check, CircleAlert, Eye, EyeOff, Minus, TriangleAlert } from "lucide-react";
import { type ComponentProps, type KeyboardEvent, type ReactNode, useId, useState } from "react";
import { useTranslation } from "react-i18next";

interface FieldProps extends ComponentProps<"input"> {
  label: string;
  hint?: string;
  /** The API's sentences about this field; shown with the hint and read out by screen readers. */
  errors?: string[];
  optional?: boolean;
  /** Shown inside the box, at its end. */
  adornment?: ReactNode;
}

export function Field({ label, hint, errors, optional, adornment, className = "", ...input }: FieldProps) {
  const { t } = useTranslation();
  const id = useId();
  const wrong = errors !== undefined && errors.length > 0;
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className="flex items-baseline justify-between text-sm font-medium">
        {label}
        {optional && <span className="font-normal text-ink-faint">{t("field.optional")}</span>}
      </label>
      <div className="relative">
        <input
          {...input}
          id={id}
          aria-invalid={wrong || undefined}
          aria-describedby={wrong || hint ? `${id}-note` : undefined}
          className={`control ${adornment ? "pr-11" : ""} ${className}`}
        />
        {adornment}
      </div>
      {(wrong || hint) && <FieldNote id={`${id}-note`} hint={hint} errors={errors} />}
    </div>
  );
}

interface FieldNoteProps {
  id: string;
  hint?: string | undefined;
  /** What to know before saving; stays beside the errors. */
  warning?: string | undefined;
  errors?: string[] | undefined;
}

/** The lines under a text box: its errors first, then its hint, which may say how it is done right, and its warning. */
export function FieldNote({ id, hint, warning, errors = [] }: FieldNoteProps) {
  return (
    <div id={id} className="grid gap-1 text-sm wrap-anywhere">
      {errors.length > 0 && (
        <p role="alert" className="flex gap-1.5 text-down-ink">
          <CircleAlert aria-hidden className="mt-0.75 size-3.5 shrink-0" />
          {errors.join(" ")}
        </p>
      )}
      {hint && <p className="text-ink-faint">{hint}</p>}
      {warning && (
        <p className="flex gap-1.5 text-warn-ink">
          <TriangleAlert aria-hidden className="mt-0.75 size-3.5 shrink-0" />
          {warning}
        </p>
      )}
    </div>
  );
}

/** A Field for a secret that can be made visible. */
export function PasswordField(props: Omit<FieldProps, "type" | "adornment">) {
  const { t } = useTranslation();
  const [shown, setShown] = useState(false);
  const Icon = shown ? EyeOff : Eye;
  const toggle = (
    <button
      type="button"
      aria-label={t(shown ? "field.hidePassword" : "field.showPassword")}
      aria-pressed={shown}
      onClick={() => setShown(!shown)}
      className="absolute inset-y-0 right-0 grid w-10 place-items-center rounded-md text-ink-faint hover:text-ink"
    >
      <Icon aria-hidden className="size-4" />
    </button>
  );
  return <Field {...props} type={shown ? "text" : "password"} adornment={toggle} />;
}

interface TextAreaProps extends ComponentProps<"textarea"> {
  label: string;
  /** The label is read out only, where what is around says what the text is for. */
  hideLabel?: boolean;
  hint?: string | undefined;
  /** The API's sentences about this field; shown instead of the hint and read out by screen readers. */
  errors?: string[] | undefined;
}

/** A labelled box for text of several lines, which the reader may pull taller, with its hint and its errors. */
export function TextArea({
  label,
  hideLabel = false,
  hint,
  errors,
  className = "",
  ...input
}: TextAreaProps) {
  const id = useId();
  const wrong = errors !== undefined && errors.length > 0;
  return (
    <div className="grid gap-1.5">
      <label htmlFor={id} className={hideLabel ? "sr-only" : "text-sm font-medium"}>
        {label}
      </label>
      <textarea
        rows={4}
        {...input}
        id={id}
        aria-invalid={wrong || input["aria-invalid"]}
        aria-describedby={wrong || hint ? `${id}-note` : undefined}
        className={`control h-auto resize-y py-2 ${className}`}
      />
      {(wrong || hint) && <FieldNote id={`${id}-note`} hint={hint} errors={errors} />}
    </div>
  );
}

interface CheckboxProps {
  label: string;
  checked: boolean;
  /** Some of the items that it represents are chosen. */
  mixed?: boolean;
  /** `isRange`: with the Shift key, so everything since the last one is meant. */
  onChange: (on: boolean, isRange: boolean) => void;
  onKeyDown?: (event: KeyboardEvent<HTMLInputElement>) => void;
  className?: string;
}

/** A box to tick without words beside it; `label` is its name. The area to hit is larger than the box. */
export function Checkbox(props: CheckboxProps) {
  const { label, checked, mixed = false, onChange, onKeyDown, className = "" } = props;
  const Icon = mixed ? Minus : Check;
  return (
    <span
      className={`grid size-4 shrink-0 rounded-sm text-on-action before:absolute before:-inset-2 [&>*]:col-start-1 [&>*]:row-start-1 ${className}`}
    >
      <input
        ref={(input) => {
          // HTML has no attribute for it.
          if (input) input.indeterminate = mixed;
        }}
        type="checkbox"
        aria-label={label}
        checked={checked}
        onChange={() => {}}
        onKeyDown={onKeyDown}
        onClick={(event) => onChange(!checked, event.shiftKey)}
        className="peer relative z-1 size-4 cursor-pointer appearance-none rounded-xs border border-control bg-surface transition-colors after:absolute after:-inset-2.5 checked:border-action checked:bg-action hover:border-ink-faint indeterminate:border-action indeterminate:bg-action"
      />
      {(checked || mixed) && (
        <Icon aria-hidden strokeWidth={3} className="pointer-events-none z-2 size-3 place-self-center" />
      )}
    </span>
  );
}
