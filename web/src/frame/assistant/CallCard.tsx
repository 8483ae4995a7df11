import { Check, CircleHelp, Clock, LoaderCircle, ShieldQuestion, X } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { AssistantCall } from "../../api/assistant.ts";
import { Button } from "../../components/Button.tsx";
import { useNow } from "../../components/use-now.ts";
import { formatClock } from "../../i18n/format.ts";
import type english from "./tools/en.json";

type State = AssistantCall["state"];

const icons: Record<State, ReactNode> = {
  waiting: <ShieldQuestion aria-hidden className="text-warn-ink" />,
  running: <LoaderCircle aria-hidden className="animate-spin" />,
  done: <Check aria-hidden className="text-up-ink" />,
  failed: <X aria-hidden className="text-down-ink" />,
  declined: <X aria-hidden />,
  expired: <Clock aria-hidden />,
  unknown: <CircleHelp aria-hidden className="text-warn-ink" />,
};

/** A call as it is shown while an answer is written, or as it is stored. */
type ShownCall = Pick<AssistantCall, "tool" | "title" | "state"> & Partial<AssistantCall>;

/** A tool call, and its state; for one that needed approval also its arguments, in full. */
export function CallLine({ call }: { call: ShownCall }) {
  const { t } = useTranslation("frame/assistant");
  const { text, lang } = useToolTexts().titleOf(call);
  const completeCall = isComplete(call) && call.expiresAt !== null ? call : null;
  const name = completeCall && nameIn(completeCall);
  return (
    <li className="flex gap-2 text-xs text-ink-muted [&>svg]:mt-px [&>svg]:size-3.5 [&>svg]:shrink-0">
      {icons[call.state]}
      <span className="min-w-0 wrap-anywhere">
        <span lang={lang}>{text}</span>
        {name && `: ${name}`}
        <span className="sr-only">: {t(`state.${call.state}`)}</span>
        {call.state !== "done" && (
          <span aria-hidden className="text-ink-faint">
            {" "}
            · {t(`state.${call.state}`)}
          </span>
        )}
        {call.problem && (
          <span lang="en" className="block whitespace-pre-line text-down-ink">
            {visibleText(call.problem)}
          </span>
        )}
        {completeCall && (
          <details>
            <summary className="w-fit cursor-pointer rounded-sm">{t("card.details")}</summary>
            <div className="mt-1 grid gap-2">
              <CallDetails call={completeCall} />
            </div>
          </details>
        )}
      </span>
    </li>
  );
}

interface CallCardProps {
  call: AssistantCall;
  busy: "approve" | "decline" | null;
  /** Something is being decided: one after the other. */
  isHeld: boolean;
  onDecide: (decision: "approve" | "decline") => void;
}

/** Something that the assistant would like to do: exactly what, and whether it may. Nothing is done before. */
export function CallCard({ call, busy, isHeld, onDecide }: CallCardProps) {
  const { t, i18n } = useTranslation("frame/assistant");
  const { text: title, lang } = useToolTexts().titleOf(call);
  const { expiresAt } = call;
  const now = useNow();
  const name = nameIn(call);
  return (
    <section
      aria-label={t("card.label", { title })}
      className="grid grid-cols-[minmax(0,1fr)] gap-3 rounded-lg border border-line-strong bg-surface p-3 shadow-card"
    >
      <header className="grid gap-1">
        <h3 className="flex items-start gap-2 text-sm font-semibold [&>svg]:mt-0.5 [&>svg]:size-4 [&>svg]:shrink-0">
          {icons.waiting}
          <span className="min-w-0 wrap-anywhere">
            <span lang={lang}>{title}</span>
            {name && `: ${name}`}
          </span>
        </h3>
        <Description call={call} />
      </header>
      <CallDetails call={call} />
      <div className="flex flex-wrap items-center gap-2">
        <Button
          className="h-8 px-3 text-sm"
          busy={busy === "approve"}
          disabled={isHeld && busy !== "approve"}
          onClick={() => onDecide("approve")}
        >
          {t("card.approve")}
        </Button>
        <Button
          variant="quiet"
          className="h-8 px-3 text-sm"
          busy={busy === "decline"}
          disabled={isHeld && busy !== "decline"}
          onClick={() => onDecide("decline")}
        >
          {t("card.decline")}
        </Button>
        {expiresAt !== null && (
          <span className="ml-auto text-xs text-ink-faint">
            {t("card.until", { time: formatClock(Date.parse(expiresAt), now, i18n.language) })}
          </span>
        )}
      </div>
    </section>
  );
}

const isComplete = (call: ShownCall): call is AssistantCall =>
  call.arguments !== undefined && call.subject !== undefined;

/** What it is about, as people call it; empty where nothing says so. */
function nameIn(call: AssistantCall): string {
  const said = [...call.subject, ...argumentsOf(call.arguments)];
  const found = ["name", "title", "displayTarget", "url"].map(
    (wanted) => said.find(({ name }) => name === wanted)?.value,
  );
  return visibleText(found.find(Boolean) ?? "");
}

/** Exactly what is called, and what that is done to. */
function CallDetails({ call }: { call: AssistantCall }) {
  const { t } = useTranslation("frame/assistant");
  const { subject, tool } = call;
  return (
    <>
      {subject.length > 0 && <Details label={t("card.subject")} fields={subject} />}
      <Details
        label={t("card.arguments", { tool })}
        fields={argumentsOf(call.arguments)}
        empty={t("card.none")}
      />
    </>
  );
}

/** The API's own words, which are English and begin with its title. */
function Description({ call: { title, description } }: Pick<CallCardProps, "call">) {
  const { t } = useTranslation("frame/assistant");
  const more = description.startsWith(`${title}.`) ? description.slice(title.length + 1).trim() : description;
  if (more === "") return null;
  return (
    <details className="text-xs text-ink-muted">
      <summary className="w-fit cursor-pointer rounded-sm">{t("card.description")}</summary>
      <p lang="en" className="mt-1 text-pretty wrap-anywhere">
        {more}
      </p>
    </details>
  );
}

interface DetailsProps {
  label: string;
  fields: readonly { name: string; value: string }[];
  empty?: string;
}

/** Fields by their exact names and their whole values; long ones scroll, so that nothing is left out. */
function Details({ label, fields, empty }: DetailsProps) {
  const { labelOf } = useToolTexts();
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-1">
      <h4 className="text-xs text-ink-faint">{label}</h4>
      {fields.length === 0 && <p className="text-xs text-ink-muted">{empty}</p>}
      <dl className="grid max-h-56 grid-cols-[fit-content(45%)_minmax(0,1fr)] gap-x-3 gap-y-1.5 overflow-y-auto text-xs">
        {fields.map(({ name, value }) => (
          <div key={name} className="contents">
            <dt className="text-ink-muted wrap-anywhere">
              {labelOf(name) !== null && <span className="block">{labelOf(name)}</span>}
              <span className="font-mono">{name}</span>
            </dt>
            <dd className="font-mono wrap-anywhere whitespace-pre-wrap">{visibleText(value)}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

/** Controls, joiners, direction marks, fillers, variant selectors; and what looks like a space but is none. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}/gu;
/** So many pushed what follows out of sight; a list within lists is indented by less. */
const BLANK = /[ \n]{40,}/g;

/** A text in which nothing can hide: invisible characters are shown as their codes. */
export const visibleText = (text: string): string =>
  text
    .replace(UNSEEN, (character) => (character === "\n" ? "\n" : codeOf(character)))
    .replace(BLANK, (blank) =>
      blank.replace(/ +|\n+/g, (run) => (run.length > 1 ? `${codeOf(run)}×${run.length}` : codeOf(run))),
    );

const codeOf = (character: string): string => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;

/** A call's arguments, each with its whole value, in no other words than those that are sent. */
export function argumentsOf(json: string): { name: string; value: string }[] {
  const given = JSON.parse(json) as Record<string, unknown>;
  return Object.entries(given).map(([name, value]) => ({
    name: visibleText(name),
    value: visibleText(typeof value === "string" ? value : JSON.stringify(value, null, 2)),
  }));
}

declare module "../../i18n/texts.ts" {
  interface PageTexts {
    "frame/assistant/tools": typeof english;
  }
}

/** What tools do and what their fields are, in the reader's language. */
function useToolTexts() {
  const { t, i18n } = useTranslation("frame/assistant/tools");
  const isKnown = (key: string) => i18n.exists(`frame/assistant/tools:${key}`);
  return {
    /** `lang`: of a title that only the server has. */
    titleOf({ tool, title }: Pick<AssistantCall, "tool" | "title">): { text: string; lang?: "en" } {
      const key = `title.${tool}`;
      return isKnown(key) ? { text: t(key as "title.search") } : { text: title, lang: "en" };
    },
    /** Null: it has no other name than the API's, or that says as much. */
    labelOf(field: string): string | null {
      const key = `field.${field}`;
      const label = isKnown(key) ? t(key as "field.name") : field;
      return label.toLowerCase() === field.toLowerCase() ? null : label;
    },
  };
}
