import { createContext, type ReactNode, useContext, useId } from "react";
import { useTranslation } from "react-i18next";
import type { Draft, Drafts, Keeps } from "./drafts.ts";
import type { FieldSchema } from "./schema.ts";

export interface FieldProps<D = Draft> {
  schema: FieldSchema;
  /** As the API names it: `assertions.1.value`. */
  path: string;
  /** As its texts are named: `assertions.json.value`. */
  textKey: string;
  draft: D;
  /** The objects around it, the nearest first. */
  scopes: readonly Drafts[];
  /** A heading above says its name already. */
  bare?: boolean;
  onChange: (draft: D) => void;
}

export interface FormContext {
  /** A text about a field by its key; undefined where there is none. */
  text: (key: string) => string | undefined;
  errorsAt: (path: string) => string[] | undefined;
  /** The value at the path has changed: messages about the old one no longer apply. */
  changed: (path: string) => void;
  /** The reader is done with it for now. */
  left: (path: string) => void;
  keeps: Keeps;
  /** Whether a stored value has to be typed anew. */
  stale: Keeps;
  /** What holds at the moment, said after a field's help; by path. */
  notes: Readonly<Record<string, string | undefined>>;
  /** What to know before saving, said on a line of its own; by path. */
  warnings: Readonly<Record<string, string | undefined>>;
  placeholders: Readonly<Record<string, string | undefined>>;
  /** Values that are often wanted, to be chosen with one press; by path. */
  presets?: Readonly<Record<string, readonly { value: string; label: string }[]>>;
  /** The uuid of the monitor that is edited: it cannot name itself. */
  self?: string | undefined;
  render: (field: FieldProps) => ReactNode;
}

const Context = createContext<FormContext | null>(null);

export const FormContextProvider = Context.Provider;

/** What the form around says. Throws outside of one. */
export function useFormContext(): FormContext {
  const context = useContext(Context);
  if (!context) throw new Error("A field is outside of a SchemaForm.");
  return context;
}

/** A field's texts and errors, and the attributes that tie its control to them. */
export function useField({ path, textKey }: Pick<FieldProps, "path" | "textKey">) {
  const context = useFormContext();
  const { t } = useTranslation("forms");
  const id = useId();
  const errors = context.errorsAt(path);
  const warning = context.warnings[path];
  const help = [context.text(`field.${textKey}.help`), context.notes[path]].filter(Boolean).join(" ");
  return {
    id,
    noteId: `${id}-note`,
    label: context.text(`field.${textKey}.label`) ?? wordsOf(textKey),
    help,
    warning,
    errors,
    /** Whether there is anything to say under it. */
    noted: Boolean(errors || help || warning),
    presets: context.presets?.[path] ?? [],
    unit: context.text(`field.${textKey}.unit`),
    placeholder: context.keeps(path)
      ? t("unchanged")
      : (context.placeholders[path] ?? context.text(`field.${textKey}.placeholder`)),
    choice: (value: string) => context.text(`field.${textKey}.choice.${value}`) ?? value,
    changed: () => context.changed(path),
    control: {
      id,
      "aria-invalid": errors ? (true as const) : undefined,
      "aria-describedby": errors || help || warning ? `${id}-note` : undefined,
      onBlur: () => context.left(path),
    },
  };
}

export type FieldState = ReturnType<typeof useField>;

/** `checkInterval` as "Check interval", for a field without a label. */
function wordsOf(textKey: string): string {
  const name = textKey.split(".").at(-1) ?? "";
  const words = name.replace(/([a-z])([A-Z])/g, (_, before, next) => `${before} ${next.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The same schema with names for what can be chosen among in its lists. */
export function named(schema: FieldSchema, nameOf: (value: string) => string): FieldSchema {
  const { items, properties } = schema;
  return {
    ...schema,
    ...(items?.enum && {
      "x-names": Object.fromEntries(items.enum.map((one) => [String(one), nameOf(String(one))])),
    }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, one]) => [name, named(one, nameOf)]),
      ),
    }),
  };
}
