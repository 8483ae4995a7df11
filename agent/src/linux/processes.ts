import { readdirSync, statSync } from "node:fs";
import { maskArguments } from "../mask.ts";
import type { Process, Snapshot } from "../report.ts";
import { mostTelling } from "../top.ts";
import { readText } from "./read-file.ts";
import type { UserNames } from "./users.ts";

/** Fixed for programs, whatever the kernel itself counts in. */
const TICKS_PER_SECOND = 100;
const PAGE_BYTES = 4096;

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

/** The processes that use most, and how much since the previous look. */
export class Processes {
  readonly #proc: string;
  readonly #users: UserNames;
  readonly #pageBytes: number;
  #previous = new Map<number, Stat>();
  /** Masking costs more than reading: what a process was started with hardly ever changes. */
  #commands = new Map<number, Command>();
  #previousAt = 0;

  constructor(proc: string, users: UserNames, pageBytes = PAGE_BYTES) {
    this.#proc = proc;
    this.#users = users;
    this.#pageBytes = pageBytes;
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
    this.#previous = found;
    this.#previousAt = uptime;
    const commands = new Map<number, Command>();
    const items = mostTelling(all).map(({ stat, cpu }) => {
      const command = this.#commandOf(stat.pid);
      commands.set(stat.pid, command);
      return this.#describe(stat, command, cpu);
    });
    this.#commands = commands;
    return { total: all.length, items };
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
    const known = this.#commands.get(pid);
    if (known?.line === line) return known;
    const words = line.split("\0");
    if (words.at(-1) === "") words.pop();
    return { line, program: words[0] ?? "", masked: maskArguments(words) };
  }

  #describe({ pid, name, state, memoryBytes }: Stat, { program, masked }: Command, cpu: number): Process {
    const uid = statSync(`${this.#proc}/${pid}`, { throwIfNoEntry: false })?.uid;
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
