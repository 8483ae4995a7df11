import type { DiskQueue } from "../../../server/src/engine/queue/queue.ts";
import type { QueueRecord } from "../../../server/src/engine/queue/record.ts";
import type { AgentAnswer } from "../../../server/src/monitors/schemas/agent-report.ts";
import type { Log } from "../log.ts";
import { elapsed, type Machine, type Moment, momentNow } from "../machine.ts";
import type { Report } from "../report.ts";
import { waitAfter } from "./backoff.ts";
import { type Answer, type Post, saidBy } from "./http.ts";

/** A report as it waits on disk. */
export interface Waiting {
  taken: Moment;
  report: Report;
}

/** How often the server wants each part of a report, in seconds. */
export type Intervals = AgentAnswer["intervals"];

export interface DeliveryOptions {
  queue: DiskQueue;
  post: Post;
  token: string;
  instance: string;
  machine: Machine;
  version: string;
  log: Log;
  /** The server's answer to what it took. */
  onIntervals(intervals: Partial<Intervals>): void;
  onRevoked(): void;
  /** The server takes the token that it had refused. */
  onAdmitted(): void;
  random?: () => number;
  /** Milliseconds of a clock that is never set. */
  now?: () => number;
}

const MAX_REPORTS = 60;
const MAX_CHARACTERS = 512 * 1024;
/** What is older the server does not take. */
const MAX_AGE_MS = 24 * 60 * 60_000;
const HOUR_MS = 60 * 60_000;
/** A clock that is off by less does not matter. */
const CLOCK_TOLERANCE_MS = 5_000;

/**
 * Delivers the reports in the queue, oldest first, one request at a time. What the server has stored leaves the queue; what it will
 * never accept is dropped and counted; everything else stays until the server can be reached again.
 */
export class Delivery {
  readonly #options: DeliveryOptions;
  /** Handed out by the queue and not acknowledged. */
  #held: QueueRecord[] = [];
  #failures = 0;
  #isRevoked = false;
  /** Not tried before then, by a clock that is never set. */
  #notBefore = 0;
  /** So many are sent one by one: one of them is what the server cannot take. */
  #singly = 0;
  #isSending = false;
  #saidAt: Record<string, number> = {};
  /** Reports given up since the server last took one: too old, or refused. */
  #givenUp = 0;

  readonly #now: () => number;

  constructor(options: DeliveryOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
  }

  /** Sends what waits, unless it is too early for another try. Resolves when nothing is left, or a try has failed. */
  async deliver(): Promise<void> {
    if (this.#isSending) return;
    this.#isSending = true;
    try {
      while (this.#now() >= this.#notBefore && this.#take() && (await this.#send()));
    } finally {
      this.#isSending = false;
    }
  }

  /** Fills what is held; whether there is anything to send. */
  #take(): boolean {
    const { queue, machine } = this.#options;
    const now = momentNow(machine);
    for (;;) {
      let characters = this.#held.reduce((sum, { payload }) => sum + payload.length, 0);
      while (this.#held.length < MAX_REPORTS && characters < MAX_CHARACTERS) {
        const record = queue.next();
        if (!record) break;
        this.#held.push(record);
        characters += record.payload.length;
      }
      const isEmpty = this.#held.length === 0;
      while (this.#held[0] && elapsed(waitingIn(this.#held[0]).taken, now) > MAX_AGE_MS) this.#giveUp();
      // What was too old may have been all that is held at once.
      if (isEmpty || this.#held.length > 0) return this.#held.length > 0;
    }
  }

  async #send(): Promise<boolean> {
    const sent = this.#singly > 0 ? this.#held.slice(0, 1) : this.#held;
    let answer: Answer;
    try {
      answer = await this.#options.post("api/agent/report", this.#options.token, this.#bodyOf(sent));
    } catch (error) {
      return this.#onNoAnswer(error as Error);
    }
    if (answer.status >= 200 && answer.status < 300) return this.#onTaken(sent, answer);
    if (answer.status === 401) return this.#onRevoked(answer);
    if (answer.status === 413 || answer.status === 422) return this.#onRefused(answer);
    return this.#onFailure(saidBy(answer), answer.retryAfterMs);
  }

  #bodyOf(records: readonly QueueRecord[]) {
    const { machine, version, instance, queue } = this.#options;
    const now = momentNow(machine);
    return {
      agent: { version, instance, ...machine },
      sentAt: now.wall,
      dropped: queue.dropped + this.#givenUp,
      reports: records.map((record) => {
        const { taken, report } = waitingIn(record);
        return { sequence: record.sequence, at: now.wall - elapsed(taken, now), ...report };
      }),
    };
  }

  #onTaken(sent: readonly QueueRecord[], { body }: Answer): boolean {
    const { queue, log, onIntervals } = this.#options;
    const said = (body?.data ?? {}) as Partial<AgentAnswer>;
    const last = sent.at(-1)?.sequence ?? 0;
    const acknowledged = Math.min(said.acknowledged ?? last, last);
    // Without it, all that is to come would be taken for known.
    queue.countOnFrom(said.acknowledged ?? last);
    queue.acknowledge(acknowledged);
    this.#held = this.#held.filter(({ sequence }) => sequence > acknowledged);
    if (this.#failures > 0) log.info({ waiting: queue.pending }, "Reports are delivered again");
    this.#failures = 0;
    this.#singly = Math.max(0, this.#singly - 1);
    delete this.#saidAt["failure"];
    if (this.#isRevoked) this.#options.onAdmitted();
    this.#isRevoked = false;
    if (said.serverTime !== undefined) this.#compareClocks(said.serverTime);
    if (said.intervals) onIntervals(said.intervals);
    return acknowledged === last;
  }

  #compareClocks(serverTime: number): void {
    const ahead = Date.now() - serverTime;
    if (Math.abs(ahead) < CLOCK_TOLERANCE_MS) return;
    const seconds = Math.round(Math.abs(ahead) / 1000);
    const message = `This machine's clock is ${seconds} s ${ahead > 0 ? "ahead of" : "behind"} the server's; reports use the server's time`;
    this.#sayHourly("clock", () => this.#options.log.warn({}, message));
  }

  #onNoAnswer(error: Error): boolean {
    const code = (error as NodeJS.ErrnoException).code;
    return this.#onFailure(`no answer (${code ?? error.message})`, null);
  }

  #onFailure(reason: string, retryAfterMs: number | null): boolean {
    this.#failures += 1;
    const { log, queue, random = Math.random } = this.#options;
    const wait = waitAfter(this.#failures, random(), retryAfterMs);
    this.#notBefore = this.#now() + wait;
    const fields = { reason, waiting: queue.pending };
    this.#sayHourly("failure", () =>
      log.warn(fields, "Reports cannot be delivered; they are queued on disk until they can"),
    );
    return false;
  }

  #onRevoked(answer: Answer): boolean {
    this.#notBefore = this.#now() + HOUR_MS;
    this.#failures += 1;
    const message = "The server refuses this token; the agent tries again in an hour";
    this.#options.log.error({ reason: saidBy(answer) }, message);
    this.#isRevoked = true;
    this.#options.onRevoked();
    return false;
  }

  /** One report may be what it cannot take: those before and after it are not to be lost with it. */
  #onRefused(answer: Answer): boolean {
    if (this.#held.length > 1 && this.#singly === 0) {
      this.#singly = this.#held.length;
      return true;
    }
    this.#options.log.error({ reason: saidBy(answer) }, "The server refuses a report; it is dropped");
    this.#giveUp();
    return true;
  }

  #giveUp(): void {
    const record = this.#held.shift() as QueueRecord;
    this.#givenUp += 1;
    this.#singly = Math.max(0, this.#singly - 1);
    this.#options.queue.acknowledge(record.sequence);
  }

  #sayHourly(what: string, say: () => void): void {
    const now = this.#now();
    if (now - (this.#saidAt[what] ?? Number.NEGATIVE_INFINITY) < HOUR_MS) return;
    this.#saidAt[what] = now;
    say();
  }
}

const waitingIn = ({ payload }: QueueRecord): Waiting => JSON.parse(payload) as Waiting;
