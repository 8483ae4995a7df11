import { FieldFrame } from "./FieldFrame.tsx";
import { type FieldProps, useField } from "./form-context.ts";

/** Text of several lines; the reader may pull it taller. */
export function LongTextField({ bare, draft, onChange, ...props }: FieldProps<string>) {
  const field = useField(props);
  return (
    <FieldFrame field={field} bare={bare}>
      <textarea
        {...field.control}
        rows={4}
        value={draft}
        placeholder={field.placeholder}
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => {
          field.changed();
          onChange(event.target.value);
        }}
        className="control h-auto min-h-24 resize-y py-2 leading-5"
      />
    </FieldFrame>
  );
}
