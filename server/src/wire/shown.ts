import type { Static, TObject, TProperties, TSchema } from "typebox";
import { timestamp } from "./field.ts";

/** What a shape shows, with times in milliseconds. */
type Unshown<Shape> = { readonly [Name in keyof Shape]: Unformatted<Shape[Name]> };
type Unformatted<Value> = string extends Value
  ? Value | number
  : Value extends unknown[]
    ? readonly [...Value]
    : Value;

/** A thing as its schema shows it: the fields that this declares and no others, times as the API writes them. */
export const shown = <Fields extends TProperties>(
  { properties }: TObject<Fields>,
  thing: Unshown<Static<TObject<Fields>>>,
): Static<TObject<Fields>> =>
  Object.fromEntries(
    Object.entries<TSchema & { format?: string }>(properties).map(([name, { format }]) => {
      const value = (thing as Record<string, unknown>)[name];
      return [name, format === "date-time" && typeof value === "number" ? timestamp(value) : value];
    }),
  ) as Static<TObject<Fields>>;
