import type { ReactNode } from "react";
import { FieldNote } from "../components/Field.tsx";
import type { Drafts } from "./drafts.ts";
import { type FieldProps, type FieldState, useFormContext } from "./form-context.ts";
import { type FieldSchema, isShown, kindOf } from "./schema.ts";

interface FrameProps {
  field: FieldState;
  bare?: boolean | undefined;
  children: ReactNode;
}

/** A control with its name above and its help or its errors below. */
export function FieldFrame({ field, bare, children }: FrameProps) {
  return (
    <div className="grid gap-1.5">
      <label htmlFor={field.id} className={bare ? "sr-only" : "w-fit text-sm font-medium"}>
        {field.label}
      </label>
      {children}
      <Note field={field} />
    </div>
  );
}

/** The same around several controls that make up one field. */
export function FieldSet({ field, bare, children }: FrameProps) {
  const described = field.noted ? field.noteId : undefined;
  return (
    <fieldset aria-describedby={described} data-wrong={field.errors ? "" : undefined} className="min-w-0">
      <legend className={bare ? "sr-only" : "mb-1.5 text-sm font-medium"}>{field.label}</legend>
      <div className="grid gap-2">
        {bare && <Note field={field} />}
        {children}
        {!bare && <Note field={field} />}
      </div>
    </fieldset>
  );
}

function Note({ field }: { field: FieldState }) {
  if (!field.noted) return null;
  return (
    <div className="max-w-xl text-pretty">
      <FieldNote id={field.noteId} hint={field.help} warning={field.warning} errors={field.errors} />
    </div>
  );
}

/** An object's fields, those that mean something now. */
export function GroupField({ schema, draft, ...rest }: FieldProps<Drafts>) {
  return <InnerFields {...rest} entries={Object.entries(schema.properties ?? {})} drafts={draft} />;
}

interface InnerFieldsProps extends Pick<FieldProps<Drafts>, "path" | "textKey" | "scopes" | "onChange"> {
  entries: readonly (readonly [name: string, schema: FieldSchema])[];
  drafts: Drafts;
  className?: string;
}

const WIDE = new Set<unknown>(["record", "variants", "longText", "group", "choices"]);

/** Whether it needs a line of its own. */
const isWide = (schema: FieldSchema): boolean => WIDE.has(kindOf(schema));

export function InnerFields(props: InnerFieldsProps) {
  const { entries, path, textKey, drafts, scopes, onChange, className = "gap-4" } = props;
  const { render } = useFormContext();
  const inside = [drafts, ...scopes];
  const shown = entries.filter(([, one]) => isShown(one, inside));
  if (shown.length === 0) return null;
  return (
    <div className={`grid sm:grid-cols-2 ${className}`}>
      {shown.map(([name, one]) => (
        <div key={name} className={`min-w-0 ${isWide(one) ? "sm:col-span-2" : ""}`}>
          {render({
            schema: one,
            path: `${path}.${name}`,
            textKey: `${textKey}.${name}`,
            draft: drafts[name] ?? "",
            scopes: inside,
            onChange: (next) => onChange({ ...drafts, [name]: next }),
          })}
        </div>
      ))}
    </div>
  );
}

/** Adds a line or an item; small, because it is one of many things on the page. */
export function AddButton(props: { icon: ReactNode; onClick: () => void; children: ReactNode }) {
  return (
    <button
      type="button"
      data-add
      onClick={props.onClick}
      className="inline-flex h-8 w-fit items-center gap-1.5 rounded-md border border-line-strong bg-surface px-2.5 text-sm font-medium text-ink-muted transition-colors hover:bg-hover hover:text-ink [&>svg]:size-3.5"
    >
      {props.icon}
      {props.children}
    </button>
  );
}
