import { FieldFrame } from "./FieldFrame.tsx";
import { type FieldProps, useField } from "./form-context.ts";
import { isAddress } from "./text-hints.ts";

/** A line of text. */
export function TextField({ bare, draft, onChange, ...props }: FieldProps<string>) {
  const field = useField(props);
  return (
    <FieldFrame field={field} bare={bare}>
      <input
        {...field.control}
        type="text"
        value={draft}
        placeholder={field.placeholder}
        inputMode={isAddress(props.schema) ? "url" : undefined}
        autoCapitalize="none"
        autoComplete="off"
        autoCorrect="off"
        spellCheck={false}
        onChange={(event) => {
          field.changed();
          onChange(event.target.value);
        }}
        className="control"
      />
    </FieldFrame>
  );
}
