import { type FieldErrors, invalidInput } from "../errors.ts";
import type { Db } from "../store/db.ts";
import { isMonitorNameTaken } from "../store/queries/monitors.ts";
import { fact } from "../texts/fact.ts";
import type { OfKind } from "./monitor.ts";
import type { MonitorSettings } from "./settings.ts";

/**
 * Throws 422 with `problems`, to which it adds a target that the organization monitors under the same
 * name already. Call it with the organization's monitors locked.
 */
export async function refuseProblems(
  trx: Db,
  wanted: OfKind & {
    organizationId: number;
    exceptId: number | null;
    settings: MonitorSettings;
    problems: FieldErrors;
  },
): Promise<void> {
  const { organizationId, kind, exceptId, settings, problems } = wanted;
  const { target, displayTarget, name } = settings;
  if (await isMonitorNameTaken(trx, { organizationId, kind, target, name, exceptId })) {
    (problems.name ??= []).push(
      kind === "device"
        ? fact("name.taken_device", { name })
        : fact("name.taken", { target: displayTarget, name }),
    );
  }
  if (Object.keys(problems).length > 0) throw invalidInput(problems);
}
