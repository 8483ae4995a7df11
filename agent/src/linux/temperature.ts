import type { Metrics } from "../report.ts";
import { namesIn, readNumber, readText } from "./read-file.ts";

/** Drivers of the sensors inside processors. */
const OF_CPU = /^(?:coretemp|k10temp|zenpower|cpu[-_]thermal|x86_pkg_temp|soc[-_]thermal)/;

/** The hottest of the processor's sensors, in degrees Celsius; of all where no sensor says what it belongs to. */
export class Temperature {
  readonly #sys: string;
  /** Files to read; found once, since the machine's sensors stay. */
  #sensors: string[] | null = null;

  constructor(sys: string) {
    this.#sys = sys;
  }

  read(): Metrics {
    this.#sensors ??= this.#find();
    const degrees = this.#sensors
      .map((path) => readNumber(path))
      // Sensors that are not connected say nonsense.
      .filter((value) => value !== null && value > 0 && value < 150_000)
      .map((value) => Number(value) / 1000);
    return degrees.length === 0 ? {} : { "cpu.temperature": Math.max(...degrees) };
  }

  #find(): string[] {
    const chips = childrenOf(`${this.#sys}/class/hwmon`).map((chip) => ({
      name: readText(`${chip}/name`) ?? "",
      files: childrenOf(chip).filter((path) => /\/temp\d+_input$/.test(path)),
    }));
    const zones = childrenOf(`${this.#sys}/class/thermal`)
      .filter((path) => /\/thermal_zone\d+$/.test(path))
      .map((zone) => ({ name: readText(`${zone}/type`) ?? "", files: [`${zone}/temp`] }));
    const all = [...chips, ...zones];
    const ofCpu = all.filter(({ name }) => OF_CPU.test(name));
    return (ofCpu.length > 0 ? ofCpu : all).flatMap(({ files }) => files);
  }
}

const childrenOf = (folder: string): string[] => namesIn(folder).map((name) => `${folder}/${name}`);
