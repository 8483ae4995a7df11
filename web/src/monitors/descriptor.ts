import type { ParseKeys } from "i18next";
import { createContext, type ReactNode, use } from "react";
import { useTranslation } from "react-i18next";
import { CHECK_PHASES } from "../../../server/src/monitors/schemas/check-result.ts?schemas";
import type { MonitorDetail, Phase } from "../api/monitor.ts";
import type { Monitor } from "../api/monitor-list.ts";
import type { Drafts } from "../forms/drafts.ts";
import type { FormAssist } from "../forms/SchemaForm.tsx";
import type { FieldSchema } from "../forms/schema.ts";
import type { Section } from "../forms/sections.ts";
import type { MonitorKind } from "../kinds.ts";
import type { ListColumn } from "../list/descriptor.ts";

/* What takes a monitor is a method, so that a kind may require what only its own monitors have. */

export interface ListOfKind {
  kind: MonitorKind;
  /** Shown before a monitor's name; undefined: nothing but its status. */
  icon?(monitor: Monitor): ReactNode;
  /** Shown under it; null where it would say the same. */
  address(monitor: Monitor): ReactNode;
  /** Its own columns beside the status, where it is not checked; `t`: among the kind's texts. */
  columns?(t: (key: string) => string): readonly ListColumn<Monitor>[];
  /** The least width of what says its status, where that is not the usual one. */
  statusRem?: number;
  /** False: it is in no file. */
  hasFiles?: boolean;
  /** Shown below the status instead of a response time where there is one column only. */
  metrics?(monitor: Monitor): ReactNode;
  /** The way to another one; `isAlone`: it is all that there is to do. */
  add(isAlone: boolean): ReactNode;
}

/** The page of one monitor of a kind: what all of them show, in the kind's own terms, and what only it has. */
export interface PageOfKind {
  kind: MonitorKind;
  address(monitor: Monitor): ReactNode;
  /** What its checks measure, in order; none: it is not checked over the network. `monitor` undefined: loading. */
  phasesOf(monitor: Monitor | undefined): readonly Phase[];
  /** Whether its answers have codes. */
  hasCodes(monitor: Monitor | undefined): boolean;
  /** What is to be known of its certificate; null: it has nothing to do with any. `detail` undefined: on its way. */
  certificateOf(detail: MonitorDetail | undefined): CertificateDetails | null;
  /** What it alone has to show, above all else. */
  own?(detail: MonitorDetail): ReactNode;
  /** And what of it is seldom needed, below all else. */
  last?(detail: MonitorDetail): ReactNode;
}

/** How a certificate is to be read. */
export interface CertificateDetails {
  /** What is watched is read without TLS. */
  plain: boolean;
  /** An invalid one is accepted. */
  accepted: boolean;
}

/** The form of a kind. `detail`: the monitor as it is stored; null for a new one. */
export interface FormOfKind {
  kind: MonitorKind;
  /** There is a form for each value of this field, which stays what it was made with; undefined: there is one form. */
  variants?: {
    field: string;
    names: readonly string[];
    /** What belongs together of them, in the order in which people choose; undefined: there are few. */
    groups?: Readonly<Record<string, readonly string[]>>;
  };
  /** The schema that the server validates with; of a variant, where there are some. */
  schema(action: "create" | "update", variant: string): FieldSchema;
  /** Where to look for a text first, by its whole key. */
  textKeys?(key: string, variant: string): string[];
  /** The seconds between two checks that people choose, where they are not the usual ones. */
  intervals?(variant: string): readonly number[] | undefined;
  /** Where each setting is placed; those that are not named appear in a section of their own at the end. */
  layout(variant: string): readonly Section[];
  /** What follows from a change; `was`: before it. */
  adjustDrafts?(drafts: Drafts, changed: string, was: Drafts): Drafts;
  /** What is sent along with a field that was changed. */
  alongside?(detail: MonitorDetail | null): Record<string, readonly string[]>;
  /** Whether a secret, which is never shown, is stored at the path. */
  isStored(path: string, drafts: Drafts, detail: MonitorDetail): boolean;
  /** Where what is stored has to be typed anew, and the key of the text that says why; null: nowhere. */
  danger(drafts: Drafts, detail: MonitorDetail): { paths: readonly string[]; text: string } | null;
  /** What helps to fill in a new one. */
  assist?(form: FormAssist): ReactNode;
  /** What its check measures, with which the settings are tried; nothing where there is no check over the network. */
  phases(variant: string): readonly Phase[];
  /** What is stored, as the form has it; undefined: as the API answers. */
  valuesOf?(detail: MonitorDetail): Readonly<Record<string, unknown>>;
  /** The plan says nothing of how often. */
  isUnlimited?: boolean;
  /** What a new one begins with, of what the page's address says. */
  start?(search: { url?: string }): Readonly<Record<string, unknown>>;
  /** The placeholder of the box for the name of a new one. */
  usualName(drafts: Drafts): string | undefined;
}

const Kind = createContext<MonitorKind | null>(null);

export const KindProvider = Kind;

/** The kind of monitor that the page is about. Throws where the page does not say it. */
export function useKind(): MonitorKind {
  const kind = use(Kind);
  if (!kind) throw new Error("The page does not say which kind of monitor it is about.");
  return kind;
}

export const useKindTexts = () => useTranslation(useKind().texts).t;

/** Where what reports of it has words of its own (`own` among the kind's texts), in those. Undefined: of the kind. */
export function useMonitorTexts(monitor: Monitor | undefined) {
  const { texts, typeOf } = useKind();
  const { t, i18n } = useTranslation("monitors");
  const type = typeOf(monitor ?? { name: "" });
  return (key: ParseKeys<"monitors">, values: Record<string, unknown> = {}): string => {
    const own = `${texts}:own.${type}.${key}`;
    return t(i18n.exists(own, values) ? (own as typeof key) : key, values);
  };
}

export const useKindFormTexts = () => useTranslation(useKind().formTexts).t;

const byProtocol = CHECK_PHASES as Readonly<Record<string, readonly Phase[]>>;
const none: readonly Phase[] = [];

/** What a check measures, in the order in which it happens; nothing for a protocol that this app does not know. */
export const phasesOf = (protocol: string): readonly Phase[] => byProtocol[protocol] ?? none;
