import type { ComponentType } from "react";
import { ChoiceField } from "./ChoiceField.tsx";
import { ChoicesField } from "./ChoicesField.tsx";
import type { FieldProps } from "./form-context.ts";
import { GroupField } from "./GroupField.tsx";
import { LongTextField } from "./LongTextField.tsx";
import { MonitorsField } from "./MonitorsField.tsx";
import { NumberField } from "./NumberField.tsx";
import { RecordField } from "./RecordField.tsx";
import { ScalarField } from "./ScalarField.tsx";
import { SecretField } from "./SecretField.tsx";
import { SwitchField } from "./SwitchField.tsx";
import { type Kind, kindOf } from "./schema.ts";
import { TextField } from "./TextField.tsx";
import { VariantsField } from "./VariantsField.tsx";
import { WordsField } from "./WordsField.tsx";

/** A component for each kind of field. Each takes the draft that drafts.ts makes of its kind. */
const fields = {
  text: TextField,
  longText: LongTextField,
  secret: SecretField,
  number: NumberField,
  switch: SwitchField,
  choice: ChoiceField,
  choices: ChoicesField,
  words: WordsField,
  monitors: MonitorsField,
  record: RecordField,
  variants: VariantsField,
  group: GroupField,
  scalar: ScalarField,
} satisfies Record<Kind, unknown>;

/** The field of a schema; nothing for one that no form can show. */
export function SchemaField(props: FieldProps) {
  const kind = kindOf(props.schema);
  if (kind === null) return null;
  const Field = fields[kind] as ComponentType<FieldProps>;
  return <Field {...props} />;
}
