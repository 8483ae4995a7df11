import { invalidInput } from "../errors.ts";
import { verb } from "../verb/verb.ts";
import { FreeSlug, FreeSlugQuery } from "../wire/status-page-contents.ts";
import { slugHeldBy } from "./own-slug.ts";
import { slugFor, slugProblem } from "./slug.ts";

/** After so many of the same name somebody has to think of another one. */
const MAX_TRIES = 20;

/** Whether a page can have a slug, or one that fits a name. Throws 422 for a slug that it cannot have. */
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
      return { slug };
    }
    const wanted = slugFor(name);
    for (let number = 1; number <= MAX_TRIES; number++) {
      const next = number === 1 ? wanted : `${wanted}-${number}`;
      if ((slugProblem(next) ?? (await slugHeldBy(ctx, next, null))) === null) return { slug: next };
    }
    return { slug: `${wanted}-${crypto.randomUUID().slice(0, 8)}` };
  },
});
