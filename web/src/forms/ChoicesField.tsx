import { useTranslation } from "react-i18next";
import { FieldSet } from "./FieldFrame.tsx";
import { type FieldProps, useField } from "./form-context.ts";
import { Tick } from "./Tick.tsx";

/** Some of a fixed list. Where an empty list is usual it means all of them, whatever is added later, and is offered as such. */
export function ChoicesField({ bare, draft, onChange, ...props }: FieldProps<readonly string[]>) {
  const { t } = useTranslation("forms");
  const field = useField(props);
  const { schema } = props;
  const choices = (schema.items?.enum ?? []).map(String);
  const usual = schema["x-usual"];
  const mayBeAll = Array.isArray(usual) && usual.length === 0;
  const isAll = mayBeAll && draft.length === 0;
  const { id: _, ...control } = field.control;
  const change = (next: readonly string[]) => {
    field.changed();
    onChange(next);
  };
  const toggle = (choice: string, on: boolean) =>
    change(choices.filter((one) => (one === choice ? on : draft.includes(one))));
  return (
    <FieldSet field={field} bare={bare}>
      {mayBeAll && (
        <>
          <Tick {...control} type="radio" name={field.id} checked={isAll} onChange={() => change([])}>
            {field.choice("*")}
          </Tick>
          <Tick {...control} type="radio" name={field.id} checked={!isAll} onChange={() => change(choices)}>
            {t("onlyThese")}
          </Tick>
        </>
      )}
      {!isAll && (
        <div className={`grid gap-2 ${mayBeAll ? "pl-6.5" : ""}`}>
          {choices.map((choice) => (
            <Tick
              {...control}
              key={choice}
              type="checkbox"
              checked={draft.includes(choice)}
              onChange={(on) => toggle(choice, on)}
            >
              {schema["x-names"]?.[choice] ?? choice}
            </Tick>
          ))}
        </div>
      )}
    </FieldSet>
  );
}
