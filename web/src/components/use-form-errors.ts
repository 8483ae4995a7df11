import { useEffect, useRef } from "react";
import { ApiError, type FieldErrors } from "../api/client.ts";

/**
 * What a form shows of a failed mutation: `fields` at their boxes, `message` for what no box shows.
 * Give `form` to the <form>: after a failure the first wrong box gets the focus.
 */
export function useFormErrors(error: Error | null, names: readonly string[]) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (error) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [error]);
  const fields: FieldErrors = error instanceof ApiError ? error.fields : {};
  const shown = names.some((name) => fields[name]);
  const elsewhere = Object.entries(fields).filter(([name]) => !names.includes(name));
  const message =
    elsewhere.length > 0 ? elsewhere.flatMap(([, sentences]) => sentences).join(" ") : error?.message;
  return { form, fields, message: shown && elsewhere.length === 0 ? undefined : message };
}
