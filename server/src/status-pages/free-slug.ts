import { invalidInput } from "../platform/errors.ts";
import { slugFor, slugProblem } from "../platform/formats/slug.ts";
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

/** So long no other organization gets a slug that readers of a page follow still. */
const RESERVED_DAYS = 90;
const DAY_MS = 86_400_000;

type LookupContext = Pick<Running, "db" | "clock" | "caller">;

/** Why a page of the caller's organization cannot have a slug that others have, or had; null: it can. `exceptId`: the page itself. */
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

/** Gives a page its slug; the one that it had before leads to it. Throws 422. Who takes it meanwhile makes this transaction begin anew (platform/database/errors.ts). */
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

/** After so many pages of the same name the user has to choose another slug. */
const MAX_TRIES = 20;

/** Whether a page can have a slug, and whose links end then; or one that fits a name and ends none. Throws 422 for a slug that it cannot have. */
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

/** The page of the caller's organization that had the slug before. */
async function formerOf({ db, caller: { organizationId } }: Running, slug: string) {
  const page = await findPageSince(db, slug);
  return page?.organizationId === organizationId ? { uuid: page.uuid, name: page.name } : null;
}
