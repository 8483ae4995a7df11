import { invalidInput } from "../../platform/errors.ts";
import { IdParams } from "../../platform/operations/field.ts";
import { verb } from "../../platform/operations/operation.ts";
import { findPageMeant, pageChanged, rereadPage, showPage } from "../found-page.ts";
import { deleteLogo, saveLogo } from "../queries/page-domains.ts";
import { LogoInput } from "../schemas/page-look.ts";
import { StatusPage } from "../schemas/status-pages.ts";
import { readLogo } from "./logo-picture.ts";

const ofLogo = { resource: "status-pages", feature: "team", action: "write", find: findPageMeant } as const;

/** Throws 404, and 422 for an invalid picture. */
export const setPageLogo = verb({
  ...ofLogo,
  audit: "set page logo",
  input: LogoInput,
  output: StatusPage,
  async prepare(_, { content }, found) {
    const read = readLogo(Buffer.from(content, "base64"));
    if ("problem" in read) throw invalidInput({ content: [read.problem] });
    return { found, logo: read.logo };
  },
  async run(ctx, _, { found, logo }) {
    const page = await rereadPage(ctx, found);
    await saveLogo(ctx.db, page.id, logo);
    await pageChanged(ctx, page);
    return showPage(ctx, page);
  },
});

/** Throws 404. */
export const removePageLogo = verb({
  ...ofLogo,
  audit: "remove page logo",
  input: IdParams,
  output: StatusPage,
  async run(ctx, _, found) {
    const page = await rereadPage(ctx, found);
    await deleteLogo(ctx.db, page.id);
    await pageChanged(ctx, page);
    return showPage(ctx, page);
  },
});
