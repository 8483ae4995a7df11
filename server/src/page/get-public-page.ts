import { Type } from "typebox";
import { notFound } from "../errors.ts";
import { findPageBySlug } from "../store/queries/status-pages.ts";
import { verb } from "../verb/verb.ts";
import { PublicStatusPage, projectPublicPage } from "../wire/public-page.ts";
import { admit } from "./admit.ts";
import { readPublicPage } from "./read-public-page.ts";
import { wordsFor } from "./render/words.ts";

/** What visitors of a page may know, for programs. Throws 404 for a page that there is not, or that is not for them. */
export const getPublicPage = verb({
  resource: null,
  action: "read",
  by: "anyone",
  input: Type.Object({
    slug: Type.String({ description: "Of the page.", examples: ["example"] }),
  }),
  output: PublicStatusPage,
  async run({ db, clock, config, visitor }, { slug }) {
    const page = await findPageBySlug(db, slug);
    const { address, signedIn = async () => null } = visitor;
    if (!page || (await admit(db, page, { address, signedIn })) === "hidden") throw notFound();
    const read = await readPublicPage(db, page, { now: clock.now(), publicUrl: config.publicUrl });
    return projectPublicPage(read, wordsFor(visitor.language ?? "en", page.timeZone).sentence);
  },
});
