import { useTranslation } from "react-i18next";
import type { Scalar } from "./drafts.ts";
import { FieldFrame } from "./FieldFrame.tsx";
import { type FieldProps, useField } from "./form-context.ts";
import { Select } from "./Select.tsx";
import { scalarTypesOf } from "./schema.ts";

/** A value that may be a text, a number, yes or no, or nothing; which of them is chosen beside it. */
export function ScalarField({ bare, draft, onChange, ...props }: FieldProps<Scalar>) {
  const { t } = useTranslation("forms");
  const field = useField(props);
  const change = (part: Partial<Scalar>) => {
    field.changed();
    onChange({ ...draft, ...part });
  };
  const typeNames: Record<string, string> = {
    string: t("scalar.string"),
    number: t("scalar.number"),
    boolean: t("scalar.boolean"),
    null: t("scalar.null"),
  };
  const truths = [
    ["true", t("scalar.true")],
    ["false", t("scalar.false")],
  ] as const;
  return (
    <FieldFrame field={field} bare={bare}>
      <div className="flex gap-2">
        <Select
          aria-label={t("typeOf", { label: field.label })}
          value={draft.scalar}
          options={scalarTypesOf(props.schema).map((type) => [type, typeNames[type] ?? type])}
          onChange={(scalar) => change({ scalar, text: scalar === "boolean" ? "true" : draft.text })}
          className="shrink-0 basis-26"
        />
        {draft.scalar === "boolean" && (
          <Select
            {...field.control}
            value={draft.text}
            options={truths}
            onChange={(text) => change({ text })}
          />
        )}
        {(draft.scalar === "string" || draft.scalar === "number") && (
          <input
            {...field.control}
            type="text"
            inputMode={draft.scalar === "number" ? "decimal" : undefined}
            value={draft.text}
            autoCapitalize="none"
            autoComplete="off"
            spellCheck={false}
            onChange={({ target }) => change({ text: target.value })}
            className="control"
          />
        )}
      </div>
    </FieldFrame>
  );
}
