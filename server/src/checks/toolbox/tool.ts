import type { Static, TSchema } from "typebox";
import type { MessageDescriptor } from "../../platform/i18n/message.ts";
import type { CheckEnvironment } from "../check.ts";
import { type StopSignal, stopCheck } from "../deadline.ts";
import type { Network } from "../network.ts";

/** What tools read besides the network, as the operator says. */
export interface ToolSources {
  /** Files in MaxMind's format (.mmdb) in place of the one that is installed: where addresses are, and whose. */
  geoDatabase: string | null;
  asnDatabase: string | null;
  /** Where IANA's lists of RDAP servers are (RFC 9224), without a slash at the end; null: where IANA has them. */
  rdapBootstrap: string | null;
  /** An existing folder to keep those lists in. */
  dataFolder: string;
}

export interface ToolEnvironment {
  network: Network;
  sources: ToolSources;
  /** Aborted once no caller waits: whatever is open is closed then. */
  signal: AbortSignal;
  /** Says how far it is; only of a tool that declares `progress`. */
  reportProgress(progress: unknown): void;
}

/**
 * Its address, command, form and assistant tool follow from this. It connects only to what the guard
 * approves, and holds nothing after it has ended.
 */
export interface Tool<
  I extends TSchema = TSchema,
  O extends TSchema = TSchema,
  P extends TSchema | undefined = TSchema | undefined,
> {
  /** In addresses and on the command line. */
  name: string;
  /** For people, in English: what it is, and in a sentence what it finds out. */
  title: string;
  description: string;
  input: I;
  /** The field of the input that is the command's argument; the others are its options. */
  subject: string;
  output: O;
  progress?: P;
  /** How many of it an organization may have under way at once. Default: unlimited. */
  atOnce?: number;
  /** Throws ToolError. */
  run(input: Static<I>, environment: ToolEnvironment): Promise<Static<O>>;
  /** What the answer says beside the result. Default: OK. */
  message?(output: Static<O>): string;
  /** What came of it, for a terminal: lines of text without colors. */
  print(output: Static<O>): string;
}

export const tool = <I extends TSchema, O extends TSchema, P extends TSchema | undefined = undefined>(
  declared: Tool<I, O, P>,
): Tool<I, O, P> => declared;

/** Why a tool has nothing to show. Its fields survive the way out of the thread it runs in. */
export class ToolError extends Error {
  readonly reason: MessageDescriptor;
  /** The field of the input that it cannot work with; absent: a remote server failed. */
  readonly field: string | undefined;
  /** When that server allows another request; absent: it does not say. */
  readonly retryAfterSeconds: number | undefined;

  constructor(reason: MessageDescriptor, field?: string, retryAfterSeconds?: number) {
    super(reason.code);
    this.name = "ToolError";
    this.reason = reason;
    this.field = field;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

export function stopSignalOf(signal: AbortSignal): StopSignal {
  const stop: StopSignal = { isStopped: signal.aborted, listener: null };
  signal.addEventListener("abort", () => stopCheck(stop), { once: true });
  return stop;
}

/** What a check that a tool makes is given: it ends after `timeoutMs`, and when no caller waits any more. */
export const checkEnvironment = (
  { network, signal }: Pick<ToolEnvironment, "network" | "signal">,
  timeoutMs: number,
): CheckEnvironment => ({ network, timeoutMs, signal: stopSignalOf(signal) });
