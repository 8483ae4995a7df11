import { FieldFrame } from "./FieldFrame.tsx";
import { type FieldProps, useField } from "./form-context.ts";
import { Select } from "./Select.tsx";
import { choicesOf } from "./schema.ts";

/** One of a fixed list. */
export function ChoiceField({ bare, draft, onChange, ...props }: FieldProps<string>) {
  const field = useField(props);
  return (
    <FieldFrame field={field} bare={bare}>
      <Select
        {...field.control}
        value={draft}
        options={(choicesOf(props.schema) ?? []).map((value) => [value, field.choice(value)])}
        onChange={(value) => {
          field.changed();
          onChange(value);
        }}
      />
    </FieldFrame>
  );
}
