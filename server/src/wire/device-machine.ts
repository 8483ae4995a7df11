import { type TSchema, Type } from "typebox";
import type { DeviceSystem } from "../device/snapshots.ts";
import { fromOutside, nullable } from "./field.ts";

/** As the agent says it. */
const text = (description?: string) => fromOutside(nullable(Type.String(), description));
const bytes = (description: string) =>
  Type.Unsafe<number | null>({ type: ["number", "null"], description: `${description} Bytes.` });

/** Some of what the agent says of the machine, by the names that it gives them. */
type MachineFields = Partial<Record<keyof DeviceSystem, TSchema>>;

/** What lists show of the machine. */
export const listedMachine = {
  hostname: text("The machine's own name; null until its agent has reported."),
  platform: text("`linux`, `darwin`, `win32` …"),
  os: text("For people, e.g. `Debian GNU/Linux 13 (trixie)`."),
} satisfies MachineFields;

/** What else the page of a device shows of it. */
export const describedMachine = {
  architecture: text(),
  cpu: text("The processor's model."),
  cpuCores: nullable(Type.Integer(), "How many the system has."),
  totalMemory: bytes("Of the machine."),
  totalSwap: bytes("Of the machine."),
  totalDisk: bytes("Of all real file systems together."),
  kernel: text(),
} satisfies MachineFields;

/** These fields of the machine; null before its agent has reported. */
export const machineOf = <Fields extends MachineFields>(fields: Fields, system: DeviceSystem | null) =>
  Object.fromEntries(
    (Object.keys(fields) as (keyof DeviceSystem)[]).map((name) => [name, system?.[name] ?? null]),
  ) as { [Name in keyof Fields & keyof DeviceSystem]: DeviceSystem[Name] | null };
