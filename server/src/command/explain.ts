import { PublicError } from "../errors.ts";
import { inEnglish } from "../texts/english.ts";

const SYSTEM_FAULTS: Record<
  string,
  (error: NodeJS.ErrnoException & { address?: string; port?: number }) => string
> = {
  EADDRINUSE: ({ port }) => `Port ${port} is in use. Stop what listens there, or choose another with --port.`,
  EACCES: ({ port, path }) =>
    port
      ? `This user may not listen on port ${port}. Choose one above 1023 with --port.`
      : `No permission for ${path}.`,
  EADDRNOTAVAIL: ({ address }) => `This machine has no address ${address}. Choose another with --host.`,
  ENOSPC: () => "The disk is full. Free some space and start again; nothing that was stored is lost.",
  ECONNREFUSED: ({ address, port }) =>
    `The database at ${address}:${port} refuses connections. Is it running, and is DATABASE_URL right?`,
};

/** One line for the person at the terminal: what is wrong and what to do; never a stack. */
export function explain(error: unknown): string {
  if (error instanceof PublicError && error.fields) {
    return Object.values(error.fields).flat().map(inEnglish).join(" ");
  }
  if (error instanceof AggregateError && error.errors.length > 0) return explain(error.errors[0]);
  if (!(error instanceof Error)) return String(error);
  const fault = SYSTEM_FAULTS[(error as NodeJS.ErrnoException).code ?? ""];
  return fault ? fault(error) : (error.message.split("\n")[0] ?? error.name);
}
