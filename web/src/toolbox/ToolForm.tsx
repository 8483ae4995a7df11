import { type KeyboardEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import type { FieldErrors } from "../api/client.ts";
import { Button } from "../components/Button.tsx";
import { Field } from "../components/Field.tsx";
import { LabelledSelect } from "../forms/LabelledSelect.tsx";
import { type ToolValues, withHost } from "./tool-search.ts";
import { fieldsOf, isShown, subjectOf, type ToolField, type ToolName } from "./tools.ts";

interface ToolFormProps {
  tool: ToolName;
  given: ToolValues;
  errors: FieldErrors;
  isRunning: boolean;
  onSubmit: (values: ToolValues) => void;
  onStop: () => void;
}

/** The fields that the server declares for a tool, and the button. */
export function ToolForm({ tool, given, errors, isRunning, onSubmit, onStop }: ToolFormProps) {
  const { t } = useTranslation("toolbox");
  const [values, setValues] = useState<ToolValues>(given);
  const all = fieldsOf(tool);
  const shown = all.filter((field) => isShown(field, values));
  const submit = () => {
    const named = shown.flatMap(({ name }) => (values[name]?.trim() ? [[name, values[name].trim()]] : []));
    const given = withHost(Object.fromEntries(named) as ToolValues, subjectOf(tool));
    setValues((was) => ({ ...was, ...given }));
    onSubmit(given);
  };
  const enter = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || !(event.target instanceof HTMLInputElement)) return;
    event.preventDefault();
    submit();
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- it only handles Enter in the boxes
    <div className="grid gap-4 p-4 sm:p-5" onKeyDown={enter}>
      <p className="text-pretty text-ink-muted">{t(`tool.${tool}.text`)}</p>
      <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-4">
        {shown.map((field) => (
          <div key={field.name} className={field.name === subjectOf(tool) ? "sm:col-span-2" : ""}>
            <FieldOf
              field={field}
              value={values[field.name] ?? ""}
              errors={errors[field.name]}
              isSubject={field.name === subjectOf(tool)}
              onChange={(value) => setValues((was) => ({ ...was, [field.name]: value }))}
            />
          </div>
        ))}
      </div>
      <div className="flex gap-2">
        <Button type="button" busy={isRunning} onClick={submit}>
          {t(`tool.${tool}.run`)}
        </Button>
        {isRunning && (
          <Button variant="quiet" onClick={onStop}>
            {t("stop")}
          </Button>
        )}
      </div>
    </div>
  );
}

interface FieldOfProps {
  field: ToolField;
  value: string;
  errors: string[] | undefined;
  isSubject: boolean;
  onChange: (value: string) => void;
}

function FieldOf({ field: { name, schema }, value, errors, isSubject, onChange }: FieldOfProps) {
  const words = useToolWords();
  const usual = schema["x-usual"] ?? (schema as { default?: unknown }).default;
  if (schema.enum) {
    return (
      <LabelledSelect
        label={words.field(name)}
        name={name}
        value={value === "" ? String(usual) : value}
        errors={errors}
        isWide
        options={schema.enum.map((choice) => [String(choice), words.choice(name, String(choice))] as const)}
        onChange={onChange}
      />
    );
  }
  const [example] = schema.examples ?? [];
  const placeholder = usual === undefined ? example : usual;
  return (
    <Field
      label={words.field(name)}
      name={name}
      value={value}
      errors={errors}
      optional={!isSubject && !schema["x-when"]}
      placeholder={
        typeof placeholder === "string" || typeof placeholder === "number" ? `${placeholder}` : undefined
      }
      inputMode={schema.type === "integer" ? "numeric" : "text"}
      autoCapitalize="none"
      autoComplete="off"
      spellCheck={false}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

/** The labels of fields and choices; those without a text have the API's name. */
function useToolWords() {
  const { t, i18n } = useTranslation("toolbox");
  const wordOf = (key: string, otherwise: string) =>
    i18n.exists(`toolbox:${key}`) ? t(key as "title") : otherwise;
  return {
    field: (name: string) => wordOf(`field.${name}`, name),
    choice: (name: string, value: string) => wordOf(`choice.${name}.${value}`, value),
  };
}
