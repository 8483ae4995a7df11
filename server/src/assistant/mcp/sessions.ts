import { createHmac, randomUUID } from "node:crypto";
import type { FastifyRequest } from "fastify";
import type { Caller } from "../../platform/access/caller.ts";
import { hashToken, isSameSecret } from "../../platform/access/random-tokens.ts";
import type { Context, SecretBox } from "../../platform/context.ts";
import { PublicError } from "../../platform/errors.ts";
import { msg } from "../../platform/i18n/message.ts";
import {
  isSessionEnded,
  listSubscribedUris,
  noteSessionEnded,
  subscribeUri,
  unsubscribeUri,
} from "../queries/assistant-calls.ts";
import { RPC, RpcRefusal } from "./messages.ts";

/** Visible ASCII, as the protocol has it. */
const SESSION_ID = /^[\x21-\x7e]{1,100}$/;
const LASTS_MS = 24 * 3_600_000;
const MAX_A_SESSION = 200;
/** No client returns later with an ended session. */
const REMEMBERED_MS = 30 * 24 * 3_600_000;

export interface Subscribing {
  caller: Pick<Caller, "userId">;
  sessionId: string;
}

type Needs = Pick<Context, "store" | "clock">;

const keyOf = ({ caller, sessionId }: Subscribing) => ({
  userId: caller.userId,
  sessionHash: hashToken(sessionId),
});

const PURPOSE = "sessions of assistants";

const signed = (secrets: SecretBox, uuid: string): string =>
  createHmac("sha256", secrets.derive(PURPOSE)).update(uuid).digest("base64url");

/** Signed, and stored nowhere. */
export function newSessionId(secrets: SecretBox): string {
  const uuid = randomUUID();
  return `${uuid}.${signed(secrets, uuid)}`;
}

function isOurs(secrets: SecretBox, sessionId: string): boolean {
  const [uuid = "", signature = "", ...more] = sessionId.split(".");
  return more.length === 0 && isSameSecret(signature, signed(secrets, uuid));
}

export const subscribedUris = ({ store }: Needs, whose: Subscribing): Promise<string[]> =>
  listSubscribedUris(store.db, keyOf(whose));

/** For a day. Throws 429 for more than 200. */
export async function subscribeTo({ store, clock }: Needs, whose: Subscribing, uri: string): Promise<void> {
  const own = await listSubscribedUris(store.db, keyOf(whose));
  if (own.length >= MAX_A_SESSION && !own.includes(uri)) {
    throw new PublicError("rate_limited", msg("assistant.subscriptions", { limit: MAX_A_SESSION }));
  }
  await subscribeUri(store.db, keyOf(whose), uri, clock.now() + LASTS_MS);
}

/** Without `uri`: from everything. */
export const unsubscribeFrom = ({ store }: Needs, whose: Subscribing, uri?: string): Promise<void> =>
  unsubscribeUri(store.db, keyOf(whose), uri);

/**
 * Ends a session with its subscriptions; later requests with it are refused. False for an id that this
 * installation never issued: nothing is stored, since any text could be one.
 */
export async function endSession(
  { store, clock, secrets }: Needs & Pick<Context, "secrets">,
  whose: Subscribing,
): Promise<boolean> {
  if (!isOurs(secrets, whose.sessionId)) {
    await unsubscribeUri(store.db, keyOf(whose));
    return false;
  }
  await store.transaction(async (db) => {
    await noteSessionEnded(db, keyOf(whose), clock.now() + REMEMBERED_MS);
    await unsubscribeUri(db, keyOf(whose));
  });
  return true;
}

const hasEnded = ({ store }: Needs, whose: Subscribing): Promise<boolean> =>
  isSessionEnded(store.db, keyOf(whose));

/** Throws 404 for an ended session: the client has to begin another (2025-11-25, Session Management). */
export async function assertGoesOn(own: Needs, request: FastifyRequest, caller: Caller): Promise<void> {
  const sessionId = sessionOf(request);
  if (sessionId === "" || !(await hasEnded(own, { caller, sessionId }))) return;
  throw new RpcRefusal(404, RPC.refused, "This session has ended. Begin another one with initialize.");
}

/** The id that a request names; empty: none that is well-formed. */
export function sessionOf({ headers }: FastifyRequest): string {
  const { "mcp-session-id": given } = headers;
  return typeof given === "string" && SESSION_ID.test(given) ? given : "";
}
