import type { projectCheckTest } from "../../../server/src/wire/check-result.ts";
import type { MonitorKind } from "../kinds.ts";
import { call } from "./client.ts";

/** What one check found whose result is not kept; milliseconds. */
export type CheckTest = ReturnType<typeof projectCheckTest>;

/** Checks once what a form would create, or make of the monitor of that number. Throws ApiError. */
export async function testSettings(kind: MonitorKind, id: number | null, body: object): Promise<CheckTest> {
  const path = id === null ? `${kind.api}/test` : `${kind.api}/${id}/test`;
  return (await call<CheckTest>("POST", path, { body })).data;
}
