import { readdirSync, readFileSync, statSync } from "node:fs";
import { endianness } from "node:os";
import { maskArguments } from "../mask.ts";
import type { Process, Snapshot } from "../report.ts";
import { mostTelling } from "../top.ts";
import { readText } from "./read-file.ts";
import type { UserNames } from "./users.ts";

/** Fixed for programs, whatever the kernel itself counts in. */
const TICKS_PER_SECOND = 100;
/** Of most machines; some of arm64 and ppc64 have pages of 16 or 64 KiB. */
const USUAL_PAGE_BYTES = 4096;

/** The letters of proc(5). */
const STATES: Readonly<Record<string, string>> = {
  R: "running",
  S: "sleeping",
  D: "waiting for disk",
  Z: "zombie",
  T: "stopped",
  t: "traced",
  I: "idle",
};

/** What /proc/PID/stat says of a process. */
interface Stat {
  pid: number;
  name: string;
  state: string;
  ticks: number;
  /** In ticks since the machine started: another process of that number has another. */
  startedAt: number;
  memoryBytes: number;
}

/** Of a command line, which may be megabytes, more than is shown. */
const MAX_LINE = 16 * 1024;

interface Command {
  /** As the kernel says it, its words apart by NUL. */
  line: string;
  program: string;
  masked: string;
}

const NO_COMMAND: Command = { line: "", program: "", masked: "" };

/** What is known of a process beside its metrics, and how often that was looked at. */
interface Known {
  command: Command;
  uid: number | undefined;
  looks: number;
}

/** Looks between two in which what hardly ever changes is read again. */
const CACHED_READINGS = 10;

/** The processes that use most, and how much since the previous look. */
export class Processes {
  readonly #proc: string;
  readonly #users: UserNames;
  readonly #pageBytes: number;
  #previous = new Map<number, Stat>();
  /** What a process was started with hardly ever changes: reading it anew each time would be most of a look. */
  #known = new Map<number, Known>();
  #previousAt = 0;
  #looks = 0;

  constructor(proc: string, users: UserNames) {
    this.#proc = proc;
    this.#users = users;
    this.#pageBytes = readPageBytes(proc);
  }

  /** `uptime`: seconds since the machine started. */
  read(uptime: number): Snapshot<Process> {
    this.#users.refresh();
    const found = new Map<number, Stat>();
    for (const name of readdirSync(this.#proc)) {
      if (!/^\d/.test(name)) continue;
      const stat = parseStat(readText(`${this.#proc}/${name}/stat`) ?? "", this.#pageBytes);
      if (stat) found.set(stat.pid, stat);
    }
    const all = Array.from(found.values(), (stat) => ({
      ...{ stat, pid: stat.pid, memory: stat.memoryBytes },
      cpu: this.#cpuOf(stat, uptime),
    }));
    const before = this.#previous;
    this.#previous = found;
    this.#previousAt = uptime;
    this.#looks += 1;
    const known = new Map<number, Known>();
    const items = mostTelling(all).map(({ stat, cpu }) => {
      const own = this.#knownOf(stat, before.get(stat.pid));
      known.set(stat.pid, own);
      return this.#describe(stat, own, cpu);
    });
    this.#known = known;
    return { total: all.length, items };
  }

  /** One that has just begun may still become another program, or another user's: it is looked at twice. */
  #knownOf({ pid, startedAt, name, state }: Stat, before: Stat | undefined): Known {
    const known = this.#known.get(pid);
    const isSame = before !== undefined && before.startedAt === startedAt && before.name === name;
    // Not all of them in the same look.
    const isDue = (this.#looks + pid) % CACHED_READINGS === 0;
    if (known && isSame && known.looks > 1 && !isDue) return known;
    // The command line is in the process's memory, which may not be read while it waits for a file system that never answers.
    const isWaiting = state === "D";
    const uid = statSync(`${this.#proc}/${pid}`, { throwIfNoEntry: false })?.uid;
    if (isWaiting) return { command: (isSame && known?.command) || NO_COMMAND, uid, looks: 0 };
    return { command: this.#commandOf(pid), uid, looks: isSame ? (known?.looks ?? 0) + 1 : 1 };
  }

  /** Of one that was not there at the previous look: since it began. */
  #cpuOf({ pid, startedAt, ticks }: Stat, uptime: number): number {
    const before = this.#previous.get(pid);
    const isSame = before?.startedAt === startedAt;
    const since = isSame ? this.#previousAt : Math.max(startedAt / TICKS_PER_SECOND, 0);
    const used = (ticks - (isSame ? before.ticks : 0)) / TICKS_PER_SECOND;
    const elapsed = uptime - since;
    return elapsed <= 0.5 ? 0 : (100 * used) / elapsed;
  }

  #commandOf(pid: number): Command {
    const line = (readText(`${this.#proc}/${pid}/cmdline`) ?? "").slice(0, MAX_LINE);
    const known = this.#known.get(pid)?.command;
    if (known?.line === line) return known;
    const words = line.split("\0");
    if (words.at(-1) === "") words.pop();
    return { line, program: words[0] ?? "", masked: maskArguments(words) };
  }

  #describe({ pid, name, state, memoryBytes }: Stat, { command, uid }: Known, cpu: number): Process {
    const { program, masked } = command;
    return {
      pid,
      name: fullName(name, program),
      command: masked,
      cpuPercent: round(cpu),
      memoryMB: round(memoryBytes / 1024 / 1024),
      status: STATES[state] ?? state,
      user: uid === undefined ? "" : this.#users.nameOf(uid),
    };
  }
}

const round = (value: number) => Math.round(value * 10) / 10;

/** The kernel keeps 15 bytes of a name; the command line has all of it. Node names its first thread, and with it the process. */
function fullName(name: string, path: string): string {
  const base = path.slice(path.lastIndexOf("/") + 1);
  return (name.length >= 15 && base.startsWith(name)) || name === "node-MainThread" ? base : name;
}

/** `PID (NAME) STATE …`, where the name may hold spaces and brackets: what comes behind its last bracket is counted from there. */
function parseStat(text: string, pageBytes: number): Stat | null {
  const open = text.indexOf("(");
  const close = text.lastIndexOf(")");
  if (open < 0 || close < open) return null;
  const fields = text.slice(close + 2).split(" ");
  const ticks = Number(fields[11]) + Number(fields[12]);
  return {
    pid: Number(text.slice(0, open)),
    name: text.slice(open + 1, close),
    state: fields[0] ?? "",
    ticks,
    startedAt: Number(fields[19]),
    memoryBytes: Number(fields[21]) * pageBytes,
  };
}

const PAGE_SIZE = 6;
const NARROW = new Set(["arm", "ia32", "mips", "mipsel"]);

/** The size of a page of memory, from what the kernel passed to this program at its start (getauxval(3)): pairs of a key and a value, in words of the machine. */
function readPageBytes(proc: string): number {
  let bytes: Buffer;
  try {
    bytes = readFileSync(`${proc}/self/auxv`);
  } catch {
    return USUAL_PAGE_BYTES;
  }
  const wordBytes = NARROW.has(process.arch) ? 4 : 8;
  const isLittle = endianness() === "LE";
  // Neither is as large as half a word.
  const lowAt = (at: number) => (isLittle ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at + wordBytes - 4));
  for (let at = 0; at + 2 * wordBytes <= bytes.length; at += 2 * wordBytes) {
    if (lowAt(at) === PAGE_SIZE) return lowAt(at + wordBytes) || USUAL_PAGE_BYTES;
  }
  return USUAL_PAGE_BYTES;
}
