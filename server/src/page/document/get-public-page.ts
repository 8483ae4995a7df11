import { Type } from "typebox";
import { notFound } from "../../errors.ts";
import { verb } from "../../verb/verb.ts";
import { PublicStatusPage, projectPublicPage } from "../../wire/public-page.ts";
import { admit, lockedPage } from "../access/admit.ts";
import { wordsFor } from "../render/words.ts";

/** What visitors of a page may know, for programs. Throws 404 for a page that there is not, or that is not for them; 401 for one that asks for a password. */
export const getPublicPage = verb({
  resource: null,
  action: "read",
  by: "anyone",
  input: Type.Object({
    slug: Type.String({ description: "Of the page.", examples: ["example"] }),
  }),
  output: PublicStatusPage,
  async run({ db, clock, secrets, visitor }, { slug }) {
    const { address, signedIn = async () => null, atPage, readPage, language = "en" } = visitor;
    const kept = await readPage?.(slug);
    if (!kept) throw notFound();
    const { page, document } = kept;
    const admission = await admit({ db, clock, secrets }, page, atPage ?? { address, signedIn });
    if (admission === "hidden") throw notFound();
    if (admission === "locked") throw lockedPage();
    return projectPublicPage(document, wordsFor(language, page.timeZone).sentence);
  },
});
