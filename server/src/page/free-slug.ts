import { invalidInput } from "../errors.ts";
import { isSlugTaken } from "../store/queries/status-pages.ts";
import { fact } from "../texts/fact.ts";
import { verb } from "../verb/verb.ts";
import { FreeSlug, FreeSlugQuery } from "../wire/status-page-contents.ts";
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
  async run({ db }, { slug, name = "" }) {
    if (slug !== undefined) {
      const problem = slugProblem(slug);
      if (problem) throw invalidInput({ slug: [problem] });
      if (await isSlugTaken(db, slug, null))
        throw invalidInput({ slug: [fact("page.slug_taken", { slug })] });
      return { slug };
    }
    const wanted = slugFor(name);
    for (let number = 1; number <= MAX_TRIES; number++) {
      const next = number === 1 ? wanted : `${wanted}-${number}`;
      if (slugProblem(next) === null && !(await isSlugTaken(db, next, null))) return { slug: next };
    }
    return { slug: `${wanted}-${crypto.randomUUID().slice(0, 8)}` };
  },
});
