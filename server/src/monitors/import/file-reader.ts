import { checkKinds } from "../../checks/registry.ts";
import { type FieldErrors, invalidInput } from "../../platform/errors.ts";
import { msg } from "../../platform/i18n/message.ts";
import { createThread, type Thread, ThreadEnded } from "../../platform/worker-pool.ts";
import { isDatabase } from "../schemas/import-client.ts";
import { FileProblem, type KnownKind } from "./file-entry.ts";
import { readSentDatabase } from "./kuma-database.ts";
import type { FileAnswer, FileRequest } from "./read-file.ts";

type ReadRequest = Omit<FileRequest, "kinds">;

/** A file that needs more memory than this, or more time, is refused, and nobody else suffers. */
const HEAP_MB = 512;
const STUCK_MS = 20_000;
const IDLE_MS = 30_000;

/** What the formats need to know of the kinds of checks. */
export const KNOWN_KINDS: Readonly<Record<string, KnownKind>> = Object.fromEntries(
  Object.values(checkKinds).map((kind) => {
    const { properties = {} } = kind.configSchema as { properties?: object };
    return [kind.type, { isPassive: "passive" in kind, fields: Object.keys(properties) }];
  }),
);

/**
 * Reads files in a thread of its own, one after the other: a file of the largest size takes a second. The thread is
 * started when it is needed and ends when it no longer is.
 */
export class FileReader {
  readonly #thread: Thread<FileRequest>;
  /** Settles when the file that came last has been read. */
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

  /** What is in a file. Throws 422 where it cannot be read, is empty, or is too much. */
  async read(request: ReadRequest, signal?: AbortSignal): Promise<FileAnswer> {
    const ended = AbortSignal.any([this.#closing.signal, ...(signal ? [signal] : [])]);
    let answer: FileAnswer | { problems: FieldErrors };
    // The next is put only when this one is done with: what ends the thread concerns no other file.
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

  /** Ends the thread; what is under way fails. */
  close(): Promise<void> {
    this.#closing.abort(new Error("The files' reader is closed."));
    return this.#thread.close();
  }
}

/** A database as the text of what is in it. Throws 422 where it is none. */
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
    /** Reads files that are imported in a thread of its own. */
    files: FileReader;
  }
}
