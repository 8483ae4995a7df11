import type { Static, TSchema } from "typebox";
import type { AuditAction } from "../access/audit-actions.ts";
import type { AnonymousClient, By, Caller } from "../access/caller.ts";
import type { Feature } from "../access/plans.ts";
import type { Action, Resource, Role } from "../access/roles-and-scopes.ts";
import type { Context } from "../context.ts";
import type { ReadInWorker } from "../database/reader.ts";
import type { Db } from "../database/schema.ts";
import { capital } from "./field.ts";
import type { Listed } from "./paging.ts";

/** What the audit log says that something was done to. */
export interface Subject {
  id?: string | number | null;
  /** What it was called at that time. */
  name?: string | null;
  before?: string;
  after?: string;
  /** Default: the verb's. */
  action?: AuditAction;
  /** Whose log it goes to, and who did it: where that is not the caller, in the organization where they act. */
  organizationId?: number;
  userId?: number;
}

/** Which of these there is depends on whom the operation lets in. */
export interface Calling extends Context {
  caller?: Caller;
  visitor?: AnonymousClient;
  /** From the command line of the installation. */
  operator?: true;
  /** Aborted once the client no longer waits for the answer. */
  signal?(): AbortSignal;
  /** Receives the progress of an operation that declares `progress`; absent: it is not needed. */
  reportProgress?(progress: unknown): void;
}

type Who<B extends By> = B extends "anyone"
  ? { visitor: AnonymousClient }
  : B extends "operator"
    ? { operator: true }
    : { caller: Caller };

/** The store, outside of any transaction. `caller` acts where the operation happens. */
export type Before<B extends By = "caller"> = Omit<Calling, "caller" | "visitor" | "operator"> & Who<B>;

/** Instead of the store its transaction, or what it may read with. */
export type Running<B extends By = "caller"> = Omit<Before<B>, "store"> & Work;

interface Work {
  db: Db;
  readInWorker: ReadInWorker;
  /** Does something once the transaction is committed. */
  after(work: () => void): void;
  /** Says what the audit row is about, or writes several; else it is about the output. */
  record(subject: Subject): void;
}

export interface Access {
  /** Of its scope; null: the caller's own affairs, which need no scope or role. */
  resource: Resource | null;
  /** `write` runs in a transaction. */
  action: Action;
  /** The least role that may, where that does not follow from resource and action. */
  role?: Role;
  /** The plan feature it needs. Default: `basic`. */
  feature?: Feature;
  /** Default: `caller`. */
  by?: By;
}

/** For assistants, where it does not follow from the action and the method. */
interface Hints {
  /** It changes nothing, though it is a write: it takes work or sends something. */
  readOnly?: boolean;
  /**
   * Removes or replaces for good: an assistant has it confirmed first. `elsewhere`: it may in another system,
   * such as by a POST; assistants decide by themselves.
   */
  destructive?: boolean | "elsewhere";
  /** Doing it twice is doing it once. */
  idempotent?: boolean;
  /** It reaches beyond this installation. */
  openWorld?: boolean;
}

/**
 * Called by `callVerb`. `R`: what `run` returns, maybe more than the output `O` declares, for the transport;
 * `P`: what it is given.
 */
export interface Verb<
  I extends TSchema = TSchema,
  O extends TSchema = TSchema,
  R = unknown,
  P = unknown,
  B extends By = By,
  F = unknown,
> extends Access {
  /** The canonical shapes, in camelCase. */
  input: I;
  output: O;
  by?: B;
  /** A list that comes with the page it is: `run` gives `Listed`. */
  paged?: boolean;
  /** Events while it is under way, for what takes a while. */
  progress?: TSchema;
  /** What a list that is `paged` says beside its items, each name one word. */
  beside?: Readonly<Record<string, TSchema>>;
  hints?: Hints;
  /** What the audit log calls it; null for what is not worth a row, or has several actions. Reads have none. */
  audit?: AuditAction | null;
  /** Finds what the input refers to, and the caller in its organization. Throws 404, or 403 for there. */
  find?(ctx: Before<B>, input: Static<I>): Promise<{ caller: Caller; found: F }>;
  /** What takes too long for a transaction: passwords, the network. */
  prepare?(ctx: Before<B>, input: Static<I>, found: F): Promise<P>;
  /** `given` by `prepare`, else what was found. A write reads and writes with `ctx.db` alone and may be run again. */
  run(ctx: Running<B>, input: Static<I>, given: P): Promise<R>;
}

export const verb = <
  I extends TSchema,
  O extends TSchema,
  R extends Static<O> | Listed<Static<O>>,
  F = undefined,
  P = F,
  B extends By = "caller",
>(
  declared: Verb<I, O, R, P, B, F>,
): Verb<I, O, R, P, B, F> => declared;

type NamedFor<K extends string, T> = { [N in keyof T & string as `${K}${Capitalize<N>}`]: T[N] };

/** Named for one of several kinds: `summary` is `domainSummary`. */
export const namedFor = <K extends string, T extends object>(kind: K, each: T): NamedFor<K, T> =>
  Object.fromEntries(Object.entries(each).map(([name, one]) => [kind + capital(name), one])) as NamedFor<
    K,
    T
  >;
