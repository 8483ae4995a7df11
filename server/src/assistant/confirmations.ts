import { createHmac, hash, randomUUID } from "node:crypto";
import type { Caller } from "../account/caller.ts";
import { isSameSecret } from "../account/token.ts";
import type { Context } from "../context.ts";
import { spendConfirmation } from "../store/queries/assistant-calls.ts";

/** Long enough to ask the person, too short to be found later. */
const LASTS_MS = 5 * 60_000;

/** What is to be confirmed: who calls what with which arguments. */
export interface ConfirmedCall {
  caller: Pick<Caller, "userId" | "apiKeyId" | "organizationId">;
  tool: string;
  arguments: unknown;
}

type Needs = Pick<Context, "store" | "clock" | "secrets">;

/** A token that confirms this very call once, and until when (milliseconds). Nothing is stored: it is signed. */
export function makeConfirmation(
  { clock, secrets }: Needs,
  call: ConfirmedCall,
): { token: string; expiresAt: number } {
  const expiresAt = clock.now() + LASTS_MS;
  const id = randomUUID();
  return { token: `${id}.${expiresAt}.${signatureOf(secrets, { id, expiresAt, call })}`, expiresAt };
}

/**
 * Uses a confirmation up, on whichever replica. False: it is none, is for another call or caller, is too old, or was used
 * before.
 */
export async function takeConfirmation(
  { store, clock, secrets }: Needs,
  token: string,
  call: ConfirmedCall,
): Promise<boolean> {
  const [id = "", until = "", signature = ""] = token.split(".");
  const expiresAt = Number(until);
  if (!isSameSecret(signature, signatureOf(secrets, { id, expiresAt, call }))) return false;
  return expiresAt > clock.now() && spendConfirmation(store.db, id, expiresAt);
}

function signatureOf(
  secrets: Needs["secrets"],
  { id, expiresAt, call }: { id: string; expiresAt: number; call: ConfirmedCall },
): string {
  const { userId, apiKeyId, organizationId } = call.caller;
  const said = [id, expiresAt, userId, apiKeyId, organizationId, call.tool, digestOf(call.arguments)];
  return createHmac("sha256", secrets.derive("confirmations of assistants"))
    .update(JSON.stringify(said))
    .digest("base64url");
}

/** The same for the same arguments, whatever the order of their fields. */
const digestOf = (value: unknown): string => hash("sha256", JSON.stringify(inOrder(value)) ?? "", "hex");

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (value === null || typeof value !== "object") return value;
  return Object.entries(value)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, own]) => [name, inOrder(own)]);
}
