import type { Static, TSchema } from "typebox";
import type { AuditAction } from "../access/audit-actions.ts";
import type { AnonymousClient, By, Caller, Needs } from "../access/caller.ts";
import { assertAccess, assertAccessSomewhere, callerWhere } from "../access/check-access.ts";
import type { Feature } from "../access/plans.ts";
import { type AuditEntry, insertAudits } from "../access/queries/audit.ts";
import type { Resource } from "../access/roles-and-scopes.ts";
import { PublicError, unauthenticated } from "../errors.ts";
import { msg } from "../i18n/message.ts";
import { inSlices, ownTurn } from "../turns.ts";
import { validInput } from "./field-errors.ts";
import type { Access, Before, Calling, Running, Subject, Verb } from "./operation.ts";

/** How many audit rows are written in one go. */
const SLICE = 100;

export interface CallOptions {
  /** Names of the organization that is meant: id, uuid or slug. Default: that of what the input refers to, or one's own. */
  organizations?: readonly string[];
  /** Features that the transport itself belongs to. */
  features?: readonly Feature[];
}

/**
 * Plan, scope and role, then the input, are checked first; a write and its audit rows are one transaction.
 * Throws 401, 403, 422, 404, and what the operation throws.
 */
export async function callVerb<I extends TSchema, O extends TSchema, R, P, B extends By, F>(
  ctx: Calling,
  verb: Verb<I, O, R, P, B, F>,
  input: Static<I>,
  { organizations = [], features = [] }: CallOptions = {},
): Promise<R> {
  const needs = needsOf(verb, features);
  const caller = ctx.caller && withNeeds(ctx.caller, needs);
  const own = caller ? { ...ctx, caller } : ctx;
  await authorize(own, needs);
  return runVerb(own, verb, validInput(verb.input, input), organizations);
}

/** What a call would be about, with all checks but without the work. Throws as `callVerb` does up to there. */
export async function findSubject<I extends TSchema, O extends TSchema, R, P, B extends By, F>(
  ctx: Calling,
  verb: Verb<I, O, R, P, B, F>,
  input: Static<I>,
  { organizations = [], features = [] }: CallOptions = {},
): Promise<{ found: F | undefined; caller: Caller | undefined }> {
  const needs = needsOf(verb, features);
  const own = { ...ctx, ...(ctx.caller && { caller: withNeeds(ctx.caller, needs) }) };
  await authorize(own, needs);
  const given = validInput(verb.input, input);
  if (own.caller) own.caller = await callerMeant(own, verb as unknown as Verb, organizations);
  if (!verb.find) return { found: undefined, caller: own.caller };
  return verb.find(own as unknown as Before<B>, given);
}

/** The second half of `callVerb`, for a transport that has called `authorize` and validated the input. */
export async function runVerb<I extends TSchema, O extends TSchema, R, P, B extends By, F>(
  ctx: Calling,
  verb: Verb<I, O, R, P, B, F>,
  input: Static<I>,
  organizations: readonly string[] = [],
): Promise<R> {
  const own = { ...ctx, ...(ctx.caller && { caller: await callerMeant(ctx, verb, organizations) }) };
  const before = own as unknown as Before<B>;
  let given: unknown;
  if (verb.find) {
    const { caller, found } = await verb.find(before, input);
    own.caller = caller;
    given = found;
  }
  if (verb.prepare) given = await verb.prepare(before, input, given as F);
  if (verb.action === "write") return write(own, verb, input, given as P);
  if (isLongPage(verb, input)) await ownTurn();
  const { db, readInWorker } = ctx.store;
  const running = { ...own, db, readInWorker, after: runNow, record: ignore };
  return verb.run(running as unknown as Running<B>, input, given as P);
}

/** Items that are read in less time than a request may hold the main thread. */
const SHORT_PAGE = 100;

/** A page that SQLite reads in 10 ms and more, all at once: of a hundred requests for it, each gets a turn of its own. */
function isLongPage({ input }: Pick<Verb, "input">, given: unknown): boolean {
  const { properties = {} } = input as { properties?: object };
  const { limit = Number.POSITIVE_INFINITY } = given as { limit?: number };
  return "limit" in properties && limit > SHORT_PAGE;
}

const runNow = (work: () => void): void => work();
const ignore = (): void => {};

/** Where no organization is named, what the input refers to says which it is. */
async function callerMeant(
  ctx: Calling,
  { resource, find }: Verb,
  organizations: readonly string[],
): Promise<Caller> {
  const own = ctx as Calling & { caller: Caller };
  if (organizations.length > 0) {
    return { ...(await callerWhere(own, organizations)), organizationChosen: true };
  }
  return resource === null || find ? own.caller : callerWhere(own, []);
}

async function write<I extends TSchema, R, P>(
  ctx: Calling,
  verb: Verb<I, TSchema, R, P>,
  input: Static<I>,
  given: P,
): Promise<R> {
  let after: (() => void)[] = [];
  const output = await ctx.store.transaction(async (db) => {
    // Run again, it begins anew.
    after = [];
    const subjects: Subject[] = [];
    const work = {
      db,
      readInWorker: ctx.store.readInWorker,
      after: (one: () => void) => void after.push(one),
      record: (one: Subject) => void subjects.push(one),
    };
    const done = await verb.run({ ...ctx, ...work } as never, input, given);
    const rows = subjects.length > 0 || !verb.audit ? subjects : [subjectOf(done)];
    const entries = rows.map((subject) => auditRow(ctx, verb, subject));
    await inSlices(entries, SLICE, (part) => insertAudits(db, part, ctx.clock.now()));
    return done;
  });
  for (const work of after) work();
  return output;
}

function subjectOf(output: unknown): Subject {
  const { id = null, name = null } = (output ?? {}) as Subject;
  return { id, name };
}

/** `more`: features that the transport itself belongs to. */
export const needsOf = (
  { by = "caller", action, resource, role, feature = "basic" }: Access,
  more: readonly Feature[] = [],
): Needs => ({
  by,
  action,
  resource,
  features: [...new Set([...more, feature])],
  ...(role && { role }),
});

/**
 * Whether the caller may in some organization that may be meant; which one is known once the input is read.
 * Throws 401, or 403 for the plan, then the scope, then the role.
 */
export async function authorize(
  ctx: Calling,
  needs: Needs,
  { elsewhere = needs.resource !== null } = {},
): Promise<void> {
  const { caller } = ctx;
  if (needs.by === "anyone" || (needs.by === "operator" && ctx.operator)) return;
  if (!caller || needs.by === "operator") throw unauthenticated();
  if (needs.by === "session" && caller.kind !== "session") throw sessionRequired();
  if (elsewhere) await assertAccessSomewhere({ ...ctx, caller }, needs);
  else assertAccess(caller, needs);
}

export const withNeeds = (caller: Caller, needs: Needs): Caller => ({ ...caller, needs });

const sessionRequired = () => new PublicError("forbidden", msg("access.session"));

/** The row in the audit log about what was done; nothing else makes one. */
function auditRow(
  { caller, visitor }: { caller?: Caller; visitor?: AnonymousClient },
  verb: { resource: Resource | null; audit?: AuditAction | null },
  { id = null, name = null, before, after, action = verb.audit ?? undefined, ...more }: Subject,
): AuditEntry {
  const { requestId = "", address = "" } = caller ?? visitor ?? {};
  const organizationId = more.organizationId ?? caller?.organizationId;
  if (!action || organizationId === undefined) throw new Error("An audit row says what was done, and where.");
  return {
    organizationId,
    userId: more.userId ?? caller?.userId ?? null,
    apiKeyId: caller?.apiKeyId ?? null,
    action,
    resource: verb.resource ?? "account",
    resourceId: id === null ? null : String(id),
    subject: name,
    before: before ?? null,
    after: after ?? null,
    requestId,
    address,
  };
}
