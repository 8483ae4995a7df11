import { findOrganization } from "../store/queries/organizations.ts";
import { findUser } from "../store/queries/users.ts";
import { askingReader, type Reader } from "../texts/reader.ts";
import type { Before } from "../verb/verb.ts";
import { systemPrompt } from "./prompt.ts";

/** How the caller reads. */
export const readerOfCaller = async ({ store, caller }: Pick<Before, "store" | "caller">): Promise<Reader> =>
  askingReader(await findUser(store.db, caller.userId), caller.language ?? null);

/** What a model is told of who asks, and where. */
export async function readSituation(ctx: Pick<Before, "store" | "caller" | "clock">): Promise<string> {
  const { organizationId, role } = ctx.caller;
  const organization = await findOrganization(ctx.store.db, { id: organizationId });
  const reader = await readerOfCaller(ctx);
  return systemPrompt({ organization: organization?.name ?? "", role, ...reader, now: ctx.clock.now() });
}
