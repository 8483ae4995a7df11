import { invalidInput } from "../errors.ts";
import { findPageSince } from "../store/queries/status-pages.ts";
import { type Running, verb } from "../verb/verb.ts";
import { FreeSlug, FreeSlugQuery } from "../wire/status-page-contents.ts";
import { slugHeldBy } from "./own-slug.ts";
import { slugFor, slugProblem } from "./slug.ts";

/** After so many of the same name somebody has to think of another one. */
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
