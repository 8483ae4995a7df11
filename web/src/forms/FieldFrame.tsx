import type { ReactNode } from "react";
import { FieldNote } from "../components/Field.tsx";
import type { FieldFacts } from "./form-context.ts";

interface FrameProps {
  field: FieldFacts;
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

function Note({ field }: { field: FieldFacts }) {
  if (!field.noted) return null;
  return (
    <div className="max-w-xl text-pretty">
      <FieldNote id={field.noteId} hint={field.help} warning={field.warning} errors={field.errors} />
    </div>
  );
}
