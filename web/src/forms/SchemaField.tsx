import { Eye, EyeOff } from "lucide-react";
import { type ComponentType, useState } from "react";
import { useTranslation } from "react-i18next";
import { FieldNote } from "../components/Field.tsx";
import { ChoicesField } from "./ChoicesField.tsx";
import type { Scalar } from "./drafts.ts";
import { FieldFrame, GroupField } from "./FieldFrame.tsx";
import { type FieldProps, useField, useFormContext } from "./form-context.ts";
import { MonitorChooser } from "./MonitorChooser.tsx";
import { RecordField } from "./RecordField.tsx";
import { Select } from "./Select.tsx";
import { choicesOf, type FieldSchema, type Kind, kindOf, scalarTypesOf } from "./schema.ts";
import { Tick } from "./Tick.tsx";
import { useMonitorChoice } from "./use-monitor-choice.ts";
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

/** A value that may be a text, a number, yes or no, or nothing; which of them is chosen beside it. */
function ScalarField({ bare, draft, onChange, ...props }: FieldProps<Scalar>) {
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

function TextField({ bare, draft, onChange, ...props }: FieldProps<string>) {
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

/** Whether an address is typed here, so that a phone offers the keys for it. */
const isAddress = (schema: FieldSchema): boolean => /ur[il]/.test(schema.format ?? "");

/** Text of several lines; the reader may pull it taller. */
function LongTextField({ bare, draft, onChange, ...props }: FieldProps<string>) {
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

/** A text box: a browser's own number box loses what it cannot read, and turns with the wheel. */
function NumberField({ bare, draft, onChange, ...props }: FieldProps<string>) {
  const { t } = useTranslation("forms");
  const field = useField(props);
  const set = (next: string) => {
    field.changed();
    onChange(next);
  };
  const whole = props.schema.type === "integer";
  return (
    <FieldFrame field={field} bare={bare}>
      <div className="flex flex-wrap items-center gap-2.5">
        <input
          {...field.control}
          type="text"
          inputMode={whole ? "numeric" : "decimal"}
          value={draft}
          placeholder={field.placeholder}
          autoComplete="off"
          onChange={(event) => set(event.target.value)}
          className="control w-28 tabular-nums"
        />
        {field.unit && <span className="text-sm text-ink-muted">{field.unit}</span>}
        {field.presets.length > 0 && (
          <div role="group" aria-label={t("presets")} className="flex flex-wrap gap-1">
            {field.presets.map(({ value, label }) => (
              <button
                key={value}
                type="button"
                aria-pressed={value === draft}
                onClick={() => set(value)}
                className="h-7 rounded-full border border-line-strong px-2.5 text-xs text-ink-muted transition-colors hover:text-ink aria-pressed:border-ink-muted aria-pressed:bg-hover aria-pressed:font-medium aria-pressed:text-ink"
              >
                {label}
              </button>
            ))}
          </div>
        )}
      </div>
    </FieldFrame>
  );
}

/** A text that is hidden while it is typed and never shown again; left empty, a stored one stays. */
function SecretField({ bare, draft, onChange, ...props }: FieldProps<string>) {
  const { t } = useTranslation("forms");
  const [shown, setShown] = useState(false);
  const field = useField(props);
  const Icon = shown ? EyeOff : Eye;
  return (
    <FieldFrame field={field} bare={bare}>
      <div className="relative">
        <input
          {...field.control}
          type={shown ? "text" : "password"}
          value={draft}
          placeholder={field.placeholder}
          // Not the reader's own password, which a browser would offer here.
          autoComplete="new-password"
          spellCheck={false}
          onChange={(event) => {
            field.changed();
            onChange(event.target.value);
          }}
          className="control pr-11"
        />
        <button
          type="button"
          aria-label={t(shown ? "hide" : "show", { label: field.label })}
          aria-pressed={shown}
          onClick={() => setShown(!shown)}
          className="absolute inset-y-0 right-0 grid w-10 place-items-center rounded-md text-ink-faint hover:text-ink"
        >
          <Icon aria-hidden className="size-4" />
        </button>
      </div>
    </FieldFrame>
  );
}

function SwitchField({ draft, onChange, ...props }: FieldProps<boolean>) {
  const field = useField(props);
  return (
    <div className="grid gap-0.5">
      <Tick
        {...field.control}
        type="checkbox"
        checked={draft}
        onChange={(on) => {
          field.changed();
          onChange(on);
        }}
      >
        <span className="text-sm font-medium">{field.label}</span>
      </Tick>
      {field.noted && (
        <div className="max-w-xl pl-6.5 text-pretty">
          <FieldNote id={field.noteId} hint={field.help} warning={field.warning} errors={field.errors} />
        </div>
      )}
    </div>
  );
}

function ChoiceField({ bare, draft, onChange, ...props }: FieldProps<string>) {
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

/** Monitors of all kinds, or of those that the schema says, by their uuids. */
function MonitorsField({ bare, draft, onChange, ...props }: FieldProps<readonly string[]>) {
  const field = useField(props);
  const { self } = useFormContext();
  const choose = (next: readonly string[]) => {
    field.changed();
    onChange(next);
  };
  const choice = useMonitorChoice(draft, choose, {
    others: self === undefined ? [] : [self],
    kinds: props.schema["x-kinds"],
  });
  return (
    <FieldFrame field={field} bare={bare}>
      <MonitorChooser
        control={field.control}
        label={field.label}
        isWrong={Boolean(field.errors)}
        choice={choice}
      />
    </FieldFrame>
  );
}
