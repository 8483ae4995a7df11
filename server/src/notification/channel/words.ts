import { de } from "../../texts/de.ts";
import { en } from "../../texts/en.ts";
import { formatsOf } from "../../texts/formats.ts";
import type { Language } from "../../texts/languages.ts";
import { de as germanMessages } from "../../texts/messages/de.ts";
import { en as englishMessages } from "../../texts/messages/en.ts";
import { zh as chineseMessages } from "../../texts/messages/zh.ts";
import { renderFact } from "../../texts/render.ts";
import { zh } from "../../texts/zh.ts";
import type { Reader } from "../mail/mail.ts";
import { digestWords } from "./digest-words.ts";
import type { Message } from "./message.ts";

const TEXTS: Record<Language, Readonly<Partial<Record<string, string>>>> = {
  en: { ...en, ...englishMessages },
  de: { ...de, ...germanMessages },
  zh: { ...zh, ...chineseMessages },
};

/** A message in its reader's words. */
export interface Words {
  title: string;
  /** What, since when and why, in sentences. */
  text: string;
  /** What else is known, each with its label. */
  details: { label: string; value: string }[];
  /** Where it leads and what that is called; null where this installation has no address. */
  link: { label: string; url: string } | null;
}

/** Of what is about no monitor by itself. */
const PATHS = { digest: "/incidents", test: "/settings/channels" } as const;
const PAGES = { domain: "domains", service: "services" } as const;

/** What a message says. `publicUrl`: where this installation is reached; `acknowledgeUrl`: the link by which it is acknowledged. */
export function wordsOf(
  message: Message,
  { language, timeZone }: Reader,
  publicUrl: string | null,
  acknowledgeUrl: string | null = null,
): Words {
  const texts = TEXTS[language];
  const formats = formatsOf(language, timeZone);
  const { monitor, event, fact, locations, digest } = message;
  const say = (code: string, params: Record<string, string> = {}) =>
    renderFact(texts, { code, params }, formats);
  const details = monitor
    ? [
        { label: say("label.target"), value: monitor.target },
        { label: say("label.locations"), value: locations.join(", ") },
        { label: say("label.severity"), value: say(`severity.${monitor.severity}`) },
        { label: say("label.tags"), value: monitor.tags.join(", ") },
      ]
    : [];
  if (acknowledgeUrl !== null) details.push({ label: say("label.acknowledge"), value: acknowledgeUrl });
  const single = {
    title: say(`title.${event}`, { name: monitor?.name ?? "" }),
    text: renderFact(texts, fact, formats),
  };
  const path = monitor
    ? `/${PAGES[monitor.kind]}/${monitor.id}`
    : PATHS[event === "digest" ? "digest" : "test"];
  return {
    ...(digest ? digestWords(digest, { language, timeZone }, say) : single),
    details: details.filter(({ value }) => value !== ""),
    link: publicUrl === null ? null : { label: say("link"), url: publicUrl + path },
  };
}

/** The same in plain text, for what knows no other. */
export const plainText = ({ text, details, link }: Words): string =>
  [text, details.map(({ label, value }) => `${label}: ${value}`).join("\n"), link?.url ?? ""]
    .filter((part) => part !== "")
    .join("\n\n");
