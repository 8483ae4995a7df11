import { useQuery } from "@tanstack/react-query";
import { createElement } from "react";
import { useTranslation } from "react-i18next";
import {
  type CredentialDanger,
  credentialDanger,
  DANGEROUS_FIELDS,
} from "../../../../server/src/monitors/credential-danger.ts";
import {
  DomainCreate,
  DomainUpdate,
  settableFields,
} from "../../../../server/src/monitors/schemas/domain-input.ts";
import { normaliseUrl } from "../../../../server/src/platform/formats/url.ts";
import { titleQuery } from "../../api/icons.ts";
import type { DomainDetail } from "../../api/monitor.ts";
import { useDebounced } from "../../components/use-now.ts";
import type { Drafts } from "../../forms/drafts.ts";
import type { FormAssist } from "../../forms/SchemaForm.tsx";
import type { FieldSchema } from "../../forms/schema.ts";
import { monitorKinds } from "../../kinds.ts";
import { type FormOfKind, phasesOf } from "../descriptor.ts";
import { EditMonitorPage, NewMonitorPage } from "../form/FormPages.tsx";
import { adjustDomain, alongsideOf, domainLayout, hostOf } from "./form/domain-layout.ts";
import type english from "./form/en.json";

export const NewDomainPage = () => <NewMonitorPage form={domainForm} />;

export const EditDomainPage = () => <EditMonitorPage form={domainForm} />;

declare module "../../i18n/texts.ts" {
  interface PageTexts {
    "monitors/domain/form": typeof english;
  }
}

/**
 * The very schemas that the server validates with: 14.5 kB gzipped in these pages' own script. Fetching
 * /openapi.json would load 390 kB, and neither compiler nor tests could check the form against it.
 */
export const domainForm: FormOfKind = {
  kind: monitorKinds.domain,
  schema: (action) => (action === "create" ? DomainCreate : DomainUpdate) as unknown as FieldSchema,
  layout: () => domainLayout,
  adjustDrafts: adjustDomain,
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

const decisive = Object.values(DANGEROUS_FIELDS).flat();

/** Settings that the API requires anew (docs/api.md, stored credentials); null: none. `detail`: as stored. */
export function dangerOf(detail: DomainDetail, drafts: Drafts): CredentialDanger | null {
  if (!hasCredentials(detail)) return null;
  const typed = normaliseUrl(drafts["url"] as string);
  // What is no address yet is refused for that.
  const url = typed.ok ? typed.url : detail.url;
  return credentialDanger(given(detail as object as Drafts), { ...given(drafts), url });
}

/** What is said in the fields that concern stored credentials: empty ones say nothing. */
function given(values: Drafts): Parameters<typeof credentialDanger>[0] {
  const said = decisive.map((field): [string, unknown] => {
    const { [field]: value } = values;
    return [field, typeof value === "string" ? value.trim() : value];
  });
  return Object.fromEntries(said.filter(([, value]) => value !== "" && value !== undefined));
}

const headers = settableFields.headers as FieldSchema;
const authConfig = settableFields.authConfig as FieldSchema;

/** Where stored credentials have to be typed again. */
export const credentialFields = [
  "headers",
  ...Object.keys(authConfig.properties ?? {}).map((field) => `authConfig.${field}`),
];

/** The field that was changed and every field that it concerns, by path. */
const fieldsInDanger = (danger: CredentialDanger): string[] => [
  ...DANGEROUS_FIELDS[danger],
  ...credentialFields,
];

const { "x-kept": hidden = "" } = headers;

const hasCredentials = (detail: DomainDetail): boolean =>
  detail.authType !== "none" || Object.values(detail.headers).includes(hidden);

const typingPauseMs = 600;

/** The page's title as a name. */
function DomainAssist({ drafts, change }: FormAssist) {
  const { t } = useTranslation("monitors/domain/form");
  const url = (drafts["url"] as string).trim();
  const typed = useDebounced(url, typingPauseMs);
  const isAddress = typed !== "" && typed === url && normaliseUrl(typed).ok;
  const title = useQuery({ ...titleQuery(typed), enabled: isAddress && drafts["name"] === "" }).data;
  if (title === undefined || drafts["name"] !== "" || title === hostOf(url) || !isAddress) return null;
  return (
    <button
      type="button"
      onClick={() => change("name", title)}
      className="w-fit max-w-full truncate rounded-sm text-sm text-ink-muted underline underline-offset-4 hover:text-ink"
    >
      {t("assist.useTitle", { title })}
    </button>
  );
}
