import type { ChangeEvent } from "react";

/** What was typed into the box of that name; empty when there is no such box. */
export function textOf(typed: FormData, name: string): string {
  const value = typed.get(name);
  return typeof value === "string" ? value : "";
}

/** Submits the form of a one-time code once it has its six digits: nobody needs to press a button. */
export function sendWhenWhole({ currentTarget: { value, form } }: ChangeEvent<HTMLInputElement>): void {
  if (/^\d{6}$/.test(value.replaceAll(/\s/g, ""))) form?.requestSubmit();
}
