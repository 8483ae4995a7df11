import { type FieldErrors, invalidInput } from "../errors.ts";
import type { Db } from "../store/db.ts";
import { isMonitorNameTaken } from "../store/queries/monitors.ts";
import type { DomainSettings } from "./settings.ts";

/**
 * Throws 422 with `problems`, to which it adds a URL that the organization monitors under the same
 * name already. Call it with the organization's monitors locked.
 */
export async function refuseProblems(
  trx: Db,
  wanted: {
    organizationId: number;
    exceptId: number | null;
    settings: DomainSettings;
    problems: FieldErrors;
  },
): Promise<void> {
  const { organizationId, exceptId, settings, problems } = wanted;
  const { url, name } = settings;
  if (await isMonitorNameTaken(trx, { organizationId, kind: "domain", url, name, exceptId })) {
    (problems.name ??= []).push(
      `You monitor ${settings.displayUrl} under the name ${name} already. Give this one another name.`,
    );
  }
  if (Object.keys(problems).length > 0) throw invalidInput(problems);
}
