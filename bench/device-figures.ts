import { type Figures, packFigures } from "../server/src/device/metrics/figures.ts";
import type { MeasuredReport } from "../server/src/device/metrics/keep-reports.ts";
import { RESOLUTION_FACTS } from "../server/src/device/metrics/resolutions.ts";
import { packSeries } from "../server/src/device/metrics/series-pack.ts";
import { hourOf } from "../server/src/result/pack.ts";
import { openDatabase } from "../server/src/store/sqlite.ts";
import type { Store } from "../server/src/store/store.ts";

const CORES = 8;
const GIGABYTE = 2 ** 30;
const PAGE = 4_096;

/** A machine's load, which goes on from one look to the next. */
interface Machine {
  random(): number;
  busy: number;
  usedMemory: number;
  usedDisk: number;
}

/**
 * What a Linux server with 8 cores, two file systems, two disks and two interfaces reports: 38 figures. The load wanders,
 * rates jump, and what is used creeps, so that nothing is smaller than it would be.
 */
export function makeMachine(seed: number): () => Figures {
  let state = seed * 2_654_435_761 + 1;
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const machine: Machine = { random, busy: 20, usedMemory: 6 * GIGABYTE, usedDisk: 90 * GIGABYTE };
  return () => look(machine);
}

function look(machine: Machine): Figures {
  const { random } = machine;
  machine.busy = Math.min(98, Math.max(1, machine.busy + (random() - 0.5) * 8));
  machine.usedMemory += Math.round((random() - 0.5) * 5_000) * PAGE;
  machine.usedDisk += Math.round(random() * 50) * PAGE;
  const figures: Record<string, number> = { "cpu.usage": cents(machine.busy) };
  for (let core = 0; core < CORES; core += 1) {
    figures[`cpu.core${core}.usage`] = cents(Math.min(100, machine.busy * (0.4 + 1.2 * random())));
  }
  for (const name of ["load1", "load5", "load15"])
    figures[`cpu.${name}`] = cents((machine.busy / 100) * CORES);
  figures["cpu.temperature"] = 45 + Math.round(random() * 10);
  const total = 16 * GIGABYTE;
  Object.assign(figures, {
    "memory.used": machine.usedMemory,
    "memory.available": total - machine.usedMemory,
    "memory.usage": cents((100 * machine.usedMemory) / total),
    "memory.swap.used": 12 * PAGE,
    "memory.swap.usage": 0.01,
  });
  for (const mount of ["/", "/var/lib/data"]) {
    figures[`disk.${mount}.usage`] = cents((100 * machine.usedDisk) / (500 * GIGABYTE));
    figures[`disk.${mount}.used`] = machine.usedDisk;
    figures[`disk.${mount}.total`] = 500 * GIGABYTE;
    figures[`disk.${mount}.inodes`] = 12.34;
  }
  for (const disk of ["nvme0n1", "sda"]) {
    figures[`disk.${disk}.read`] = random() < 0.7 ? 0 : rate(random);
    figures[`disk.${disk}.write`] = rate(random);
    figures[`disk.${disk}.busy`] = cents(random() * 4);
  }
  for (const name of ["eth0", "docker0"]) {
    Object.assign(figures, { [`network.${name}.rx`]: rate(random), [`network.${name}.tx`]: rate(random) });
    figures[`network.${name}.errors`] = 0;
  }
  return figures;
}

const cents = (value: number) => Math.round(value * 100) / 100;
/** Bytes a second: 20 kB in the mean, by some orders of magnitude. */
const rate = (random: () => number) => cents(Math.exp(8 + 4 * random()));

/** Reports of a machine every 10 s from `from` to before `to`. */
export function reportsOf(deviceId: number, from: number, to: number): MeasuredReport[] {
  const next = makeMachine(deviceId);
  return Array.from({ length: Math.floor((to - from) / 10_000) }, (_, i) => ({
    ...{ deviceId, at: from + i * 10_000 + 137, figures: next() },
  }));
}

/** Makes devices of what was seeded as domains; paused, as nothing reports for them. */
export async function toDevices({ db }: Store): Promise<void> {
  await db.updateTable("monitors").set({ kind: "device", type: "agent", enabled: 0 }).execute();
}

/** As many machines as differ; the others are like one of them. */
const MACHINES = 4;

/**
 * Writes the metrics of devices 1 … `devices` into a SQLite store: the roll-ups that charts of these days read, by the minute
 * for the last day, and what has been reported in the present hour.
 */
export async function fillDevices(
  file: string,
  { devices, days }: { devices: number; days: number },
): Promise<void> {
  const database = openDatabase(file);
  const until = hourOf(Date.now());
  database.exec("begin");
  const insert = database.prepare("insert into device_packs values (?, ?, ?, ?)");
  for (const [resolution, packs] of [
    ["1m", 24],
    ["15m", days],
    ["1h", days],
  ] as const) {
    const { seconds, packMs } = RESOLUTION_FACTS[resolution];
    const first = until - (until % packMs);
    for (let begin = first - packs * packMs; begin < until; begin += packMs) {
      const series = await mapMachines((machine) =>
        rolledUp(machine, begin, Math.min(until, begin + packMs), seconds),
      );
      for (let id = 1; id <= devices; id += 1)
        insert.run(id, seconds, begin, series[id % MACHINES] as Uint8Array);
    }
  }
  const row = database.prepare("insert into device_reports values (?, ?, ?)");
  for (const { at, figures } of reportsOf(1, until, Date.now())) {
    const bytes = packFigures(figures);
    for (let id = 1; id <= devices; id += 1) row.run(id, at, bytes);
  }
  database.exec("commit");
  database.close();
}

const mapMachines = (make: (machine: () => Figures) => Promise<Uint8Array>): Promise<Uint8Array[]> =>
  Promise.all(Array.from({ length: MACHINES }, (_, i) => make(makeMachine(i))));

/** As if each bucket's mean had been looked at, with extremes around it. */
async function rolledUp(
  machine: () => Figures,
  from: number,
  to: number,
  seconds: number,
): Promise<Uint8Array> {
  const times = Array.from({ length: (to - from) / (seconds * 1000) }, (_, i) => from + i * seconds * 1000);
  const looks = times.map(() => machine());
  const columns = Object.keys(looks[0] ?? {}).map((name) => {
    const means = looks.map((figures) => figures[name] as number);
    return [name, [means, means.map((mean) => mean * 0.7), means.map((mean) => mean * 1.3)]] as const;
  });
  return packSeries({ times, columns: new Map(columns) }, async () => {});
}
