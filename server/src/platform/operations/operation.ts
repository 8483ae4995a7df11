import type { Static, TSchema } from "typebox";
import type { Subject } from "../access/audit.ts";
import type { AuditAction } from "../access/audit-actions.ts";
import type { AnonymousClient, By, Caller } from "../access/caller.ts";
import type { Feature } from "../access/plans.ts";
import type { Action, Resource, Role } from "../access/scopes.ts";
import type { Context } from "../context.ts";
import type { Db } from "../database/db.ts";
import type { ReadInWorker } from "../database/reader.ts";
import { capital } from "./field.ts";
import type { Listed } from "./page.ts";

/** Who calls: which of these there is depends on whom the verb lets in. */
export interface Calling extends Context {
  caller?: Caller;
  visitor?: AnonymousClient;
  /** From the command line of the installation. */
  operator?: true;
  /** Aborted once nobody waits for the answer. */
  signal?(): AbortSignal;
  /** Hears how far a verb that declares `progress` is. Absent: nobody wants to know. */
  reportProgress?(progress: unknown): void;
}

type Who<B extends By> = B extends "anyone"
  ? { visitor: AnonymousClient }
  : B extends "operator"
    ? { operator: true }
    : { caller: Caller };

/** What a verb has before it runs: the store, outside of any transaction. `caller` acts where the verb happens. */
export type Before<B extends By = "caller"> = Omit<Calling, "caller" | "visitor" | "operator"> & Who<B>;

/** What a verb has while it runs: instead of the store its transaction, or what it may read with. */
export type Running<B extends By = "caller"> = Omit<Before<B>, "store"> & Work;

interface Work {
  db: Db;
  readInWorker: ReadInWorker;
  /** Does something once the transaction is committed. */
  after(work: () => void): void;
  /** Says what the audit row is about, or writes several; else it is about the output. */
  record(subject: Subject): void;
}

/** What a verb asks of whoever calls it. */
export interface Access {
  /** The resource of its scope (decisions §4); null: the caller's own affairs, which ask for no scope or role. */
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

/** What an assistant is told of a verb, where it does not follow from its action and the method that lists it. */
interface Hints {
  /** It changes nothing, though it is a write: it takes work or sends something. */
  readOnly?: boolean;
  /**
   * It removes or replaces what cannot be brought back: an assistant has it confirmed first. `elsewhere`: it may send what
   * does so in another system, such as a POST; assistants are shown it, and decide by themselves.
   */
  destructive?: boolean | "elsewhere";
  /** Doing it twice is doing it once. */
  idempotent?: boolean;
  /** It reaches beyond this installation. */
  openWorld?: boolean;
}

/**
 * One thing that can be done, whichever way it is asked for; `callVerb` is the way. `I` and `O`: the schemas of input and output;
 * `R`: what `run` gives, which may be more than the output declares, for the transport's own use; `P`: what it is given.
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
  /** What is told while it is under way, for what takes a while. */
  progress?: TSchema;
  /** What a list that is `paged` says beside its items, each name one word. */
  beside?: Readonly<Record<string, TSchema>>;
  hints?: Hints;
  /** What the audit log calls it; null for what is not worth a row, or has several actions. Reads have none. */
  audit?: AuditAction | null;
  /** Finds what the input refers to, and the caller as they stand in its organization. Throws 404, or 403 for there. */
  find?(ctx: Before<B>, input: Static<I>): Promise<{ caller: Caller; found: F }>;
  /** What takes too long for a transaction: passwords, the network. */
  prepare?(ctx: Before<B>, input: Static<I>, found: F): Promise<P>;
  /** `given` by `prepare`, else what was found. A write reads and writes with `ctx.db` alone and may be run again. */
  run(ctx: Running<B>, input: Static<I>, given: P): Promise<R>;
}

/** Declares a verb; the types of its parts follow from its schemas. */
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

/** What there is for several kinds, named for one of them: `summary` is `domainSummary`. */
export const namedFor = <K extends string, T extends object>(kind: K, each: T): NamedFor<K, T> =>
  Object.fromEntries(Object.entries(each).map(([name, one]) => [kind + capital(name), one])) as NamedFor<
    K,
    T
  >;
