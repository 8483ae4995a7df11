import { mayRead } from "../account/may-read.ts";
import { type FieldErrors, invalidInput } from "../errors.ts";
import { saveLinks } from "../store/queries/device-links.ts";
import { findMonitors } from "../store/queries/monitors.ts";
import { type Fact, fact } from "../texts/fact.ts";
import type { Running } from "../verb/verb.ts";

/** Replaces the domains and services that run on a device. Throws 422 for those that the caller cannot read, and for devices. */
export async function linkMonitors(ctx: Running, deviceId: number, uuids: readonly string[]): Promise<void> {
  const { organizationId } = ctx.caller;
  const wanted = [...new Set(uuids.map((uuid) => uuid.toLowerCase()))];
  const refs = wanted.map((uuid) => ({ uuid }));
  const found = (await findMonitors(ctx.db, { organizationId, refs })).filter(mayRead(ctx));
  const known = new Set(found.map(({ uuid }) => uuid));
  const problems: Fact[] = wanted
    .filter((uuid) => !known.has(uuid))
    .map((uuid) => fact("member.unknown", { uuid }));
  for (const { kind, name } of found) if (kind === "device") problems.push(fact("link.kind", { name }));
  const fields: FieldErrors = { linkedMonitors: problems };
  if (problems.length > 0) throw invalidInput(fields);
  await saveLinks(
    ctx.db,
    deviceId,
    found.map(({ id }) => id),
  );
}
