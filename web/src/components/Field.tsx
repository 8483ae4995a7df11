import { CircleAlert, Eye, EyeOff, TriangleAlert } from "lucide-react";
import { type ComponentProps, type ReactNode, useId, useState } from "react";
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

/** A labelled text box with its hint and its errors. */
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
