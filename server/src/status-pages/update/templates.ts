import { randomUUIDv7 } from "node:crypto";
import { Type } from "typebox";
import { assertStays, findAnywhere } from "../../platform/access/check-access.ts";
import { lockOrganization } from "../../platform/access/queries/organizations.ts";
import { findOwner } from "../../platform/database/sql.ts";
import { type FieldErrors, invalidInput, notFound, PublicError } from "../../platform/errors.ts";
import { msg } from "../../platform/i18n/message.ts";
import { LANGUAGES } from "../../platform/i18n/render.ts";
import { Deleted, IdParams, parseId, shown } from "../../platform/operations/field.ts";
import { type Before, type Running, verb } from "../../platform/operations/operation.ts";
import { PageQuery, pageIn, pagingOf } from "../../platform/operations/paging.ts";
import { checkText } from "../../platform/operations/validator.ts";
import {
  countTemplates,
  deleteTemplate,
  findTemplate,
  insertTemplate,
  listTemplates,
  type UpdateTemplate as StoredTemplate,
  saveTemplate,
} from "../queries/status-pages.ts";
import {
  BuiltInTemplates,
  type TemplateInput,
  UpdateTemplate,
  UpdateTemplateChange,
  UpdateTemplateCreate,
} from "../schemas/update-templates.ts";
import {
  BUILT_IN_TEMPLATES,
  builtInText,
  PLACEHOLDERS,
  type TemplateText,
  unknownPlaceholder,
} from "./template-text.ts";

const MAX_TEMPLATES = 100;

const ofPages = { resource: "status-pages", feature: "team" } as const;

const findTemplateMeant = (ctx: Before, { id }: { id: string }) => {
  const { db } = ctx.store;
  const ref = parseId(id);
  const find = (organizationId: number) => findTemplate(db, organizationId, ref);
  return findAnywhere(ctx, find, () => findOwner(db, "update_templates", ref));
};

const ofOne = { ...ofPages, find: findTemplateMeant } as const;

export const listUpdateTemplates = verb({
  ...ofPages,
  action: "read",
  input: Type.Object(PageQuery),
  output: Type.Array(UpdateTemplate),
  paged: true,
  async run({ db, caller: { organizationId } }, input) {
    const paging = pagingOf(input);
    const items = (await listTemplates(db, organizationId, paging)).map(show);
    return {
      items,
      page: paging.isPaged ? pageIn(paging, await countTemplates(db, organizationId)) : undefined,
    };
  },
});

export const listBuiltInTemplates = verb({
  ...ofPages,
  action: "read",
  input: Type.Object({}),
  output: BuiltInTemplates,
  run: async () =>
    BUILT_IN_TEMPLATES.map((template) => ({
      template,
      texts: LANGUAGES.map((language) => builtInText(template, language)),
    })),
});

/** Throws 404. */
export const getUpdateTemplate = verb({
  ...ofOne,
  action: "read",
  input: IdParams,
  output: UpdateTemplate,
  run: async (_, __, template) => show(template),
});

/** Throws 422 for unknown placeholders, 403 at the limit. */
export const createUpdateTemplate = verb({
  ...ofPages,
  action: "write",
  audit: "create update template",
  input: UpdateTemplateCreate,
  output: UpdateTemplate,
  async run({ db, caller: { organizationId }, clock, record }, { name, texts }) {
    assertStays(await lockOrganization(db, organizationId));
    const template = { name: name.trim(), texts: checkTexts(texts) };
    if ((await countTemplates(db, organizationId)) >= MAX_TEMPLATES)
      throw new PublicError("quota_reached", msg("template.many", { limit: MAX_TEMPLATES }));
    const id = await insertTemplate(db, { ...template, uuid: randomUUIDv7(), organizationId }, clock.now());
    record({ id, name: template.name });
    return reread(db, { id, organizationId });
  },
});

/** Throws 404, 422. */
export const updateUpdateTemplate = verb({
  ...ofOne,
  action: "write",
  audit: "change update template",
  input: UpdateTemplateChange,
  output: UpdateTemplate,
  async run({ db, clock, record }, { name, texts }, { id, organizationId }) {
    const known = await findTemplate(db, organizationId, { id }, { lock: true });
    if (!known) throw notFound();
    const change = { name: name?.trim() ?? known.name, texts: texts ? checkTexts(texts) : known.texts };
    await saveTemplate(db, id, change, clock.now());
    record({ id, name: change.name });
    return reread(db, known);
  },
});

/** Throws 404. */
export const deleteUpdateTemplate = verb({
  ...ofOne,
  action: "write",
  audit: "delete update template",
  input: IdParams,
  output: Deleted,
  async run({ db, record }, _, { id, name }) {
    if (!(await deleteTemplate(db, id))) throw notFound();
    record({ id, name });
    return { id };
  },
});

const show = (template: StoredTemplate) => shown(UpdateTemplate, template);

async function reread(
  db: Running["db"],
  { id, organizationId }: Pick<StoredTemplate, "id" | "organizationId">,
) {
  const template = await findTemplate(db, organizationId, { id });
  if (!template) throw notFound();
  return show(template);
}

/** Throws 422 for a duplicate language, an empty text, or an unknown placeholder. */
function checkTexts(texts: TemplateInput["texts"]): TemplateText[] {
  const problems: Record<string, FieldErrors[string]> = {};
  const known = PLACEHOLDERS.map((name) => `{${name}}`).join(", ");
  for (const [at, { language, ...text }] of texts.entries()) {
    if (texts.findIndex((one) => one.language === language) < at)
      problems[`texts.${at}.language`] = [msg("template.language_twice", { language })];
    for (const field of ["title", "message"] as const) {
      const name = unknownPlaceholder(text[field] ?? "");
      if (name !== undefined)
        problems[`texts.${at}.${field}`] = [msg("template.placeholder", { name: `{${name}}`, known })];
    }
  }
  if (Object.keys(problems).length > 0) throw invalidInput(problems);
  return texts.map(({ language, title = "", message }, at) => ({
    ...{ language, title: title.trim() },
    message: checkText(`texts.${at}.message`, message),
  }));
}
