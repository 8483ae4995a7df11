import { uptime } from "node:os";
import { readText } from "./linux/read-file.ts";
import { inOwnProcess } from "./run-command.ts";
import { cryptography, newUuid } from "./uuid.ts";

/** Which machine this is, since when, and which run of the agent. */
export interface Machine {
  /** A digest of the machine's own id, which copies of the machine share; null where there is none. */
  machineId: string | null;
  /** Until it starts again; where the system has no such name, until the agent does. */
  bootId: string;
  /** Of this process. */
  run: string;
}

export async function thisMachine(): Promise<Machine> {
  const run = newUuid();
  return {
    machineId: await inOwnProcess<string | null>("machine"),
    bootId: readText("/proc/sys/kernel/random/boot_id")?.trim() || run,
    run,
  };
}

/** The digest of the machine's id: the id itself is not to be shown to others (machine-id(5)). */
export function readMachineId(): string | null {
  const id = readText("/etc/machine-id")?.trim() || readText("/var/lib/dbus/machine-id")?.trim();
  if (!id) return null;
  return cryptography().createHash("sha256").update(`vedette-agent ${id}`).digest("hex").slice(0, 32);
}

/** When something was, by a clock that may be wrong and one that only ever runs on. Milliseconds. */
export interface Moment {
  wall: number;
  /** Since the machine started. */
  up: number;
  bootId: string;
}

export const momentNow = ({ bootId }: Pick<Machine, "bootId">): Moment => ({
  wall: Date.now(),
  up: Math.round(uptime() * 1000),
  bootId,
});

/** Milliseconds from one moment to a later one, also where the clock was set in between, unless the machine was started anew. */
export const elapsed = (from: Moment, to: Moment): number =>
  Math.max(0, from.bootId === to.bootId ? to.up - from.up : to.wall - from.wall);
