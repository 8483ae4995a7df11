import { createElement } from "react";
import { DomainCreate, DomainUpdate } from "../../../../server/src/wire/domain-input.ts";
import type { DomainDetail } from "../../api/monitor.ts";
import type { Drafts } from "../../forms/drafts.ts";
import type { FieldSchema } from "../../forms/schema.ts";
import { monitorKinds } from "../../kinds.ts";
import type { FormOfKind } from "../descriptor.ts";
import { phasesOf } from "../phases-of.ts";
import { dangerOf, fieldsInDanger } from "./form/credentials.ts";
import { DomainAssist } from "./form/DomainAssist.tsx";
import { domainLayout } from "./form/domain-layout.ts";
import type english from "./form/en.json";
import { hostOf } from "./form/host-of.ts";
import { alongsideOf, settleDomain } from "./form/settle-domain.ts";

declare module "../../i18n/texts.ts" {
  interface PageTexts {
    "monitors/domain/form": typeof english;
  }
}

/**
 * A domain's settings. The schemas are the very objects that the server validates with, imported from wire/ into
 * these pages' own script: 14.5 kB gzipped, most of it TypeBox, none of it in the first view. The alternative,
 * fetching /openapi.json, would ask for 390 kB about the whole API to show one form, and neither the compiler nor a
 * test without a server could hold the form to it.
 */
export const domainForm: FormOfKind = {
  kind: monitorKinds.domain,
  schema: (action) => (action === "create" ? DomainCreate : DomainUpdate) as unknown as FieldSchema,
  layout: () => domainLayout,
  settle: settleDomain,
  alongside: alongsideOf,
  isStored: (path, drafts: Drafts, { authType }: DomainDetail) =>
    (path.startsWith("authConfig.") && authType !== "none" && drafts["authType"] === authType) ||
    path.startsWith("headers."),
  danger: (drafts, detail: DomainDetail) => {
    const danger = dangerOf(detail, drafts);
    return danger && { paths: fieldsInDanger(danger), text: `remark.anew.${danger}` };
  },
  phases: () => phasesOf("http"),
  assist: (form) => createElement(DomainAssist, form),
  start: ({ url }) => (url ? { url } : {}),
  usualName: (drafts) => hostOf(drafts["url"] as string),
};
