import { checkKinds } from "../../checks/registry.ts";
import { type FieldErrors, invalidInput } from "../../platform/errors.ts";
import { msg } from "../../platform/i18n/message.ts";
import { createThread, type Thread, ThreadEnded } from "../../platform/worker-pool.ts";
import { isDatabase } from "../schemas/import-client.ts";
import { FileProblem, type KnownKind } from "./file-entry.ts";
import { readSentDatabase } from "./kuma-database.ts";
import type { FileAnswer, FileRequest } from "./read-file.ts";

type ReadRequest = Omit<FileRequest, "kinds">;

/** A file that needs more memory or time is rejected, and affects nothing else. */
const HEAP_MB = 512;
const STUCK_MS = 20_000;
const IDLE_MS = 30_000;

export const KNOWN_KINDS: Readonly<Record<string, KnownKind>> = Object.fromEntries(
  Object.values(checkKinds).map((kind) => {
    const { properties = {} } = kind.configSchema as { properties?: object };
    return [kind.type, { isPassive: "passive" in kind, fields: Object.keys(properties) }];
  }),
);

/**
 * In a worker thread, one after the other: the largest file takes a second. The thread runs only while
 * needed.
 */
export class FileReader {
  readonly #thread: Thread<FileRequest>;
  /** Resolves when the last file has been read. */
  #turn: Promise<unknown> = Promise.resolve();
  readonly #closing = new AbortController();

  constructor(entry = new URL("./reading-thread.ts", import.meta.url), stuckMs = STUCK_MS) {
    this.#thread = createThread({
      entry,
      name: "vedette-files",
      workerData: null,
      limits: { maxOldGenerationSizeMb: HEAP_MB },
      idleMs: IDLE_MS,
      stuckMs,
    });
  }

  /** Throws 422 for an unreadable, empty or too large file. */
  async read(request: ReadRequest, signal?: AbortSignal): Promise<FileAnswer> {
    const ended = AbortSignal.any([this.#closing.signal, ...(signal ? [signal] : [])]);
    let answer: FileAnswer | { problems: FieldErrors };
    // One at a time: a file that ends the thread fails no other.
    const reading = this.#turn.then(async () =>
      this.#thread.run({ ...(await textOf(request, ended)), kinds: KNOWN_KINDS }, signal),
    );
    this.#turn = reading.catch(() => {});
    try {
      answer = (await reading) as typeof answer;
    } catch (error) {
      if (error instanceof ThreadEnded) throw invalidInput({ content: [msg("import.unreadable")] });
      throw error;
    }
    if ("problems" in answer) throw invalidInput(answer.problems);
    return answer;
  }

  /** Pending files fail. */
  close(): Promise<void> {
    this.#closing.abort(new Error("The files' reader is closed."));
    return this.#thread.close();
  }
}

/** Throws 422 for what is not a database. */
async function textOf(request: ReadRequest, signal: AbortSignal): Promise<ReadRequest> {
  const { content, format = "kuma" } = request;
  if (!isDatabase(content) || format !== "kuma") return request;
  try {
    return { ...request, format, content: await readSentDatabase(content, signal) };
  } catch (error) {
    throw error instanceof FileProblem ? invalidInput(error.fields) : error;
  }
}

declare module "../../platform/context.ts" {
  interface Context {
    files: FileReader;
  }
}
