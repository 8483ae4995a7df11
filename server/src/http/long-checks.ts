import type { HttpCall } from "./listing.ts";

/** More than the longest check, its way into the store and an answer. */
const LONG_MS = 90_000;

/** A check may be silent for a minute, which is taken for a stalled connection elsewhere. Node goes back by itself. */
export async function allowLongCheck(_input: unknown, { request }: HttpCall): Promise<void> {
  request.raw.socket?.setTimeout(LONG_MS);
}
