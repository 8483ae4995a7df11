import { type ComponentProps, useId } from "react";
import { FieldNote } from "./Field.tsx";

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
