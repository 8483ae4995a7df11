import { type ChangeEvent, useEffect, useRef } from "react";
import { ApiError, type FieldErrors } from "../api/client.ts";
import { type Failure, failureOf } from "./Callout.tsx";

/** Passwords and one-time codes are not corrected but typed again: the field is cleared. */
const typedAnew = "[autocomplete$=password], [autocomplete=one-time-code]";

/**
 * `fields` at their boxes, `failure` for the rest. Give `form` to the <form>: after a failure the first wrong
 * box gets the focus.
 */
export function useFormErrors(error: Error | null, names: readonly string[]) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (!error) return;
    const wrong = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    wrong?.focus();
    if (wrong instanceof HTMLInputElement && wrong.matches(typedAnew)) wrong.select();
  }, [error]);
  const fields: FieldErrors = error instanceof ApiError ? error.fields : {};
  const shown = names.some((name) => fields[name]);
  const elsewhere = Object.entries(fields).filter(([name]) => !names.includes(name));
  return { form, fields, failure: shown && elsewhere.length === 0 ? null : failureWith(error, elsewhere) };
}

function failureWith(error: Error | null, elsewhere: readonly [name: string, sentences: string[]][]) {
  if (!error) return null;
  const failure: Failure = failureOf(error);
  const said = elsewhere.flatMap(([, sentences]) => sentences).join(" ");
  return said === "" ? failure : { ...failure, message: said };
}

/** What was typed into the box of that name; empty when there is no such box. */
export function textOf(typed: FormData, name: string): string {
  const value = typed.get(name);
  return typeof value === "string" ? value : "";
}

/** Submits the form of a one-time code once it has its six digits, without a press of the button. */
export function sendWhenWhole({ currentTarget: { value, form } }: ChangeEvent<HTMLInputElement>): void {
  if (/^\d{6}$/.test(value.replaceAll(/\s/g, ""))) form?.requestSubmit();
}
