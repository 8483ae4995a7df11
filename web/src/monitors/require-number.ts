import { notFound } from "@tanstack/react-router";

/** The number in a monitor's address; what is none is an address that leads nowhere. */
export function requireNumber({ id = "" }: { id?: string }): string {
  if (!/^[1-9]\d{0,14}$/.test(id)) notFound({ throw: true });
  return id;
}
