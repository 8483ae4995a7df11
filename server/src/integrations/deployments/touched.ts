import { findTaggedOrNamed } from "../../monitors/queries/monitor-names.ts";
import { findMonitors } from "../../monitors/queries/monitors.ts";
import { mayRead } from "../../platform/access/check-access.ts";
import type { Db } from "../../platform/database/schema.ts";
import { type FieldErrors, invalidInput } from "../../platform/errors.ts";
import { cleanTags } from "../../platform/formats/name.ts";
import { type MessageDescriptor, msg } from "../../platform/i18n/message.ts";
import { isMeant, readId } from "../../platform/operations/field.ts";
import type { Running } from "../../platform/operations/operation.ts";

/** Domains and services by ids or uuids. Throws 422 for unknown ones. */
export async function namedMonitors(ctx: Running, ids: readonly (string | number)[]): Promise<number[]> {
  const { organizationId } = ctx.caller;
  const texts = ids.map(String);
  const refs = texts.flatMap((text) => readId(text) ?? []);
  const found = (await findMonitors(ctx.db, { organizationId, refs })).filter(mayRead(ctx));
  const problems: MessageDescriptor[] = texts
    .filter((text) => {
      const ref = readId(text);
      return ref === null || !found.some((one) => isMeant(ref, one));
    })
    .map((uuid) => msg("member.unknown", { uuid }));
  const fields: FieldErrors = { monitors: problems };
  if (problems.length > 0) throw invalidInput(fields);
  return found.map(({ id }) => id);
}

/** By tags; without tags and ids by name, or a tag of that name. */
export async function touchedBy(
  db: Db,
  organizationId: number,
  {
    ids,
    tags,
    name,
  }: { ids: readonly number[] | undefined; tags: readonly string[] | undefined; name: string },
): Promise<number[]> {
  const isSaid = (ids?.length ?? 0) > 0 || (tags?.length ?? 0) > 0;
  const wanted = isSaid
    ? { tags: lower(cleanTags([...(tags ?? [])])), names: [] }
    : { tags: lower([name]), names: [name] };
  const more = wanted.tags.length > 0 ? await findTaggedOrNamed(db, organizationId, wanted) : [];
  return [...new Set([...(ids ?? []), ...more])];
}

const lower = (texts: readonly string[]) => texts.map((text) => text.trim().toLowerCase());
