import { invalidInput } from "../platform/errors.ts";
import { slugFor, slugProblem } from "../platform/formats/name.ts";
import { type MessageDescriptor, msg } from "../platform/i18n/message.ts";
import { type Running, verb } from "../platform/operations/operation.ts";
import {
  findPageSince,
  freeFormerSlug,
  keepFormerSlug,
  type StatusPage,
  slugHindrance,
} from "./queries/status-pages.ts";
import { FreeSlug, FreeSlugQuery } from "./schemas/status-page-contents.ts";

/** Other organizations cannot take a slug that readers still follow. */
const RESERVED_DAYS = 90;
const DAY_MS = 86_400_000;

type LookupContext = Pick<Running, "db" | "clock" | "caller">;

/** Null: available. `exceptId`: the page itself. */
async function slugHeldBy(
  { db, clock, caller: { organizationId } }: LookupContext,
  slug: string,
  exceptId: number | null,
): Promise<MessageDescriptor | null> {
  const givenUpBefore = clock.now() - RESERVED_DAYS * DAY_MS;
  const hindrance = await slugHindrance(db, { slug, organizationId, exceptId, givenUpBefore });
  if (hindrance === null) return null;
  return hindrance === "taken"
    ? msg("page.slug_taken", { slug })
    : msg("page.slug_former", { slug, days: RESERVED_DAYS });
}

/**
 * The former slug leads to the page. Throws 422. A concurrent claim restarts the transaction
 * (platform/database/errors.ts).
 */
export async function takeSlug(
  ctx: LookupContext,
  slug: string,
  page: Pick<StatusPage, "id" | "organizationId" | "slug"> | null,
): Promise<void> {
  if (page?.slug === slug) return;
  const problem = await slugHeldBy(ctx, slug, page?.id ?? null);
  if (problem) throw invalidInput({ slug: [problem] });
  await freeFormerSlug(ctx.db, slug);
  if (page) await keepFormerSlug(ctx.db, page, ctx.clock.now());
}

/** Of numbered variants of a name. */
const MAX_TRIES = 20;

/**
 * Whether a slug is available, and whose links it would end; without one, an available slug for a name.
 * Throws 422 for an invalid slug.
 */
export const findFreeSlug = verb({
  resource: "status-pages",
  feature: "team",
  action: "read",
  input: FreeSlugQuery,
  output: FreeSlug,
  async run(ctx, { slug, name = "" }) {
    if (slug !== undefined) {
      const problem = slugProblem(slug) ?? (await slugHeldBy(ctx, slug, null));
      if (problem) throw invalidInput({ slug: [problem] });
      return { slug, formerOf: await formerOf(ctx, slug) };
    }
    const wanted = slugFor(name);
    for (let number = 1; number <= MAX_TRIES; number++) {
      const next = number === 1 ? wanted : `${wanted}-${number}`;
      const problem = slugProblem(next) ?? (await slugHeldBy(ctx, next, null));
      if (!problem && !(await findPageSince(ctx.db, next))) return { slug: next, formerOf: null };
    }
    return { slug: `${wanted}-${crypto.randomUUID().slice(0, 8)}`, formerOf: null };
  },
});

async function formerOf({ db, caller: { organizationId } }: Running, slug: string) {
  const page = await findPageSince(db, slug);
  return page?.organizationId === organizationId ? { uuid: page.uuid, name: page.name } : null;
}
