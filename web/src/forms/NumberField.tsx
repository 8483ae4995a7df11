import { FieldFrame } from "./FieldFrame.tsx";
import { type FieldProps, useField } from "./form-context.ts";

/**
 * A number with its unit. A text box with the keys for numbers: a browser's own number box loses what it
 * cannot read, and turns with the wheel.
 */
export function NumberField({ bare, draft, onChange, ...props }: FieldProps<string>) {
  const field = useField(props);
  const whole = props.schema.type === "integer";
  return (
    <FieldFrame field={field} bare={bare}>
      <div className="flex items-center gap-2.5">
        <input
          {...field.control}
          type="text"
          inputMode={whole ? "numeric" : "decimal"}
          value={draft}
          placeholder={field.placeholder}
          autoComplete="off"
          onChange={(event) => {
            field.changed();
            onChange(event.target.value);
          }}
          className="control w-28 tabular-nums"
        />
        {field.unit && <span className="text-sm text-ink-muted">{field.unit}</span>}
      </div>
    </FieldFrame>
  );
}
