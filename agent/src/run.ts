import { join } from "node:path";
import { DiskQueue } from "../../server/src/engine/queue/queue.ts";
import { PackageWatch } from "./applications/package-watch.ts";
import { reporting, thisCollector } from "./collect.ts";
import { EnrollmentRefused, enroll } from "./enroll.ts";
import { beginningOf, type Identity, noteRefusal, openIdentity, saveIdentity } from "./identity.ts";
import { lockFolder } from "./instance-lock.ts";
import { waitAfter } from "./link/backoff.ts";
import { Delivery, type Waiting } from "./link/delivery.ts";
import { connectTo, type Post } from "./link/http.ts";
import { collectGarbage } from "./little-memory.ts";
import type { Log } from "./log.ts";
import { type Machine, momentNow, thisMachine } from "./machine.ts";
import { OptionError, type Options } from "./options.ts";
import type { Application, Snapshot } from "./report.ts";
import { inOwnProcess } from "./run-command.ts";
import { Schedule } from "./schedule.ts";
import { VERSION } from "./version.ts";

const MAX_QUEUE_BYTES = 64 * 1024 * 1024;
const REVOKED_EXIT = 3;
const STAYS = "The server refuses this enrollment token; the machine stays the device that it is";

/** Reports until `signal` is aborted. Returns the exit code. Throws what keeps it from starting. */
export async function run(
  options: Options & { server: URL },
  log: Log,
  signal: AbortSignal,
): Promise<number> {
  const machine = await thisMachine();
  const identity = openIdentity(options.data);
  const unlock = lockFolder(options.data);
  try {
    const post = connectTo(options.server, options.ca);
    const token =
      options.token ??
      ownToken(identity, options) ??
      (await enrolled(options, identity, { post, machine, log, signal }));
    if (token === null) return 0;
    if (options.server.protocol === "http:") {
      log.warn(
        {},
        "The connection is not encrypted: anybody between here and the server can read the token and the reports",
      );
    }
    return await report({ ...options, token }, { identity, machine, post, log, signal });
  } finally {
    unlock();
  }
}

interface Running {
  post: Post;
  machine: Machine;
  log: Log;
  signal: AbortSignal;
}

/**
 * The token that this machine was given when it was enrolled. Null: it never was, or with another enrollment token than it is given now,
 * because its device was deleted, or it moves to another organization or server.
 */
function ownToken({ token, enrolledWith }: Identity, { enroll: invitation }: Options): string | null {
  const isOfAnother =
    invitation !== null && enrolledWith !== null && beginningOf(invitation) !== enrolledWith;
  return isOfAnother ? null : token;
}

/**
 * Enrolls, and keeps the device's token for the next start; null if the agent was stopped before. A device that is refused as a new
 * one stays what it is: a mistyped token must not silence it.
 */
async function enrolled(
  { enroll: invitation, data }: Options,
  identity: Identity,
  { post, machine, log, signal }: Running,
): Promise<string | null> {
  if (invitation === null)
    throw new OptionError("Say which device this is: --token TOKEN, or --enroll TOKEN.");
  for (let failures = 1; !signal.aborted; failures += 1) {
    try {
      const token = await enroll(post, invitation, { instance: identity.instance, machine });
      saveIdentity(data, { ...identity, token, enrolledWith: beginningOf(invitation), isRefused: false });
      log.info({}, "Enrolled: this machine is now a device of the organization");
      return token;
    } catch (error) {
      if (error instanceof EnrollmentRefused) {
        if (identity.token === null) throw error;
        log.error({ reason: error.message }, STAYS);
        return identity.token;
      }
      log.warn({ error }, "Enrolling failed; the agent tries again");
      await pause(waitAfter(failures, Math.random()), signal);
    }
  }
  return null;
}

async function report(
  { token, data, exitOnRevoke, sockets }: Options & { token: string },
  { identity, machine, post, log, signal }: Running & { identity: Identity },
): Promise<number> {
  const queue = new DiskQueue({
    folder: join(data, "queue"),
    log,
    maxBytes: MAX_QUEUE_BYTES,
    memoryResults: 100,
  });
  const schedule = new Schedule(performance.now());
  const packages = new PackageWatch();
  const stop = new AbortController();
  const ended = AbortSignal.any([signal, stop.signal]);
  const delivery = new Delivery({
    ...{ queue, post, token, machine, log, version: VERSION, instance: identity.instance },
    onIntervals: (intervals) => schedule.adopt(intervals),
    onRevoked() {
      noteRefusal(data, token, true);
      if (exitOnRevoke) stop.abort();
    },
    onAdmitted: () => noteRefusal(data, token, false),
  });
  const applications = () => inOwnProcess<Snapshot<Application>>("applications");
  const nextReport = reporting({ ...(await thisCollector(sockets)), applications }, log);
  noteRefusal(data, token, false);
  log.info({ version: VERSION, waiting: queue.pending }, "Reporting starts");
  for (let next = performance.now(); !ended.aborted; next = nextOf(next, schedule.metricsMs)) {
    await pause(next - performance.now(), ended);
    if (ended.aborted) break;
    const taken = momentNow(machine);
    if (packages.hasChanged()) schedule.hasten("applications");
    const parts = schedule.take(performance.now());
    if (parts.includes("applications")) packages.note();
    const waiting: Waiting = { taken, report: await nextReport(parts) };
    queue.append(JSON.stringify(waiting), 1);
    // Not waited for: a server that is slow must not delay this machine's metrics.
    void delivery
      .deliver()
      .catch((error: unknown) => log.error({ error }, "Reports could not be sent"))
      .finally(() => parts.length > 0 && collectGarbage());
  }
  queue.close();
  return stop.signal.aborted ? REVOKED_EXIT : 0;
}

/** An interval later, or where that has passed (the machine slept) now: what was missed is not made up for. */
const nextOf = (last: number, intervalMs: number) => Math.max(last + intervalMs, performance.now());

/** Resolves after `ms`, or when it is stopped. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted || ms <= 0) return Promise.resolve();
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end);
  });
}
