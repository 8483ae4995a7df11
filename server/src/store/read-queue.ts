import { unavailable } from "../errors.ts";
import type { HeavyReads, ReadAside } from "./heavy-reads.ts";

/** What the reader's thread is asked. */
export interface ReaderQuestion {
  name: keyof HeavyReads;
  input: Parameters<ReadAside>[1];
}

/** Questions that wait until the one under way has been answered. */
export interface ReadQueue {
  /** Resolves with the answer. Throws what reading throws, and 503 when too many wait. */
  ask(question: ReaderQuestion): Promise<unknown>;
  /** Refuses those that wait. */
  clear(): void;
}

interface Waiting extends PromiseWithResolvers<unknown> {
  question: ReaderQuestion;
}

const MAX_WAITING_OF_ORGANIZATION = 8;
const MAX_WAITING = 100;
const RETRY_SECONDS = 5;
const MINUTE_MS = 60_000;

/**
 * One question is read after the other, and organizations take turns. Who asks what is waiting already shares its
 * answer; not that of the question under way, which may have missed what they have just written.
 */
export function createReadQueue(read: (question: ReaderQuestion) => Promise<unknown>): ReadQueue {
  /** By organization, and by what is asked; those without any are absent. Whose turn is next comes first. */
  const lines = new Map<number, Map<string, Waiting>>();
  let count = 0;
  let isReading = false;
  const readNext = async (): Promise<void> => {
    const next = takeNext(lines);
    isReading = next !== null;
    if (!next) return;
    count -= 1;
    await read(next.question).then(next.resolve, next.reject);
    void readNext();
  };
  return {
    ask(question) {
      const { organizationId } = question.input;
      const line = lines.get(organizationId) ?? new Map<string, Waiting>();
      const key = keyOf(question);
      const same = line.get(key);
      if (same) {
        // The newest window: nobody is told of an earlier time than they asked about.
        same.question = question;
        return same.promise;
      }
      if (line.size >= MAX_WAITING_OF_ORGANIZATION || count >= MAX_WAITING) return Promise.reject(tooMany());
      const waiting = { question, ...Promise.withResolvers<unknown>() };
      lines.set(organizationId, line.set(key, waiting));
      count += 1;
      if (!isReading) void readNext();
      return waiting.promise;
    },
    clear() {
      for (const line of lines.values()) for (const { reject } of line.values()) reject(tooMany());
      lines.clear();
      count = 0;
    },
  };
}

/** Takes the first question of the organization whose turn it is, which then comes last. */
function takeNext(lines: Map<number, Map<string, Waiting>>): Waiting | null {
  for (const [organizationId, line] of lines) {
    lines.delete(organizationId);
    for (const [key, waiting] of line) {
      line.delete(key);
      if (line.size > 0) lines.set(organizationId, line);
      return waiting;
    }
  }
  return null;
}

/** The same for the same question: windows of one length that end within the same minute are one. */
function keyOf({ name, input: { from, to, ...rest } }: ReaderQuestion): string {
  return JSON.stringify([name, to - from, Math.floor(to / MINUTE_MS), rest]);
}

const tooMany = () => unavailable(RETRY_SECONDS);
