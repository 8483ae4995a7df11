import { de } from "../../texts/de.ts";
import { en } from "../../texts/en.ts";
import type { Fact } from "../../texts/fact.ts";
import { formatsOf } from "../../texts/formats.ts";
import type { Language } from "../../texts/languages.ts";
import { de as germanMessages } from "../../texts/messages/de.ts";
import { en as englishMessages } from "../../texts/messages/en.ts";
import { zh as chineseMessages } from "../../texts/messages/zh.ts";
import { renderFact } from "../../texts/render.ts";
import { zh } from "../../texts/zh.ts";
import type { Reader } from "../mail/mail.ts";
import { digestWords, type Say } from "./digest-words.ts";
import { namesInWords } from "./members.ts";
import type { Digest, Message } from "./message.ts";

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
  /** Where somebody says that they look after it, or may be written to; null where there is nothing to say. */
  acknowledge: Link | null;
  /** Where it leads: to the incident, where there is one. Null where this installation has no address. */
  link: Link | null;
}

interface Link {
  label: string;
  url: string;
}

/** What stands below a mail to a member: why they get it, and where they choose what they are told. */
export function ownFooter({ language, timeZone }: Reader, organization: string, url: string): string {
  const formats = formatsOf(language, timeZone);
  return renderFact(TEXTS[language], { code: "footer.own", params: { organization, url } }, formats);
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
  const { monitor, event, locations, incidentId } = message;
  const say: Say = (code, params = {}) => renderFact(texts, { code, params }, formats);
  const details = monitor
    ? [
        { label: say("label.target"), value: monitor.target },
        { label: say("label.locations"), value: locations.join(", ") },
        { label: say("label.severity"), value: say(`severity.${monitor.severity}`) },
        { label: say("label.tags"), value: monitor.tags.join(", ") },
      ]
    : [];
  const said = saidBy(message, { language, timeZone }, (fact) => renderFact(texts, fact, formats));
  const about = monitor
    ? `/${PAGES[monitor.kind]}/${monitor.id}`
    : PATHS[event === "digest" ? "digest" : "test"];
  const isQuestion = event === "confirmation";
  const path = incidentId === null ? about : `/incidents/${incidentId}`;
  return {
    ...said,
    details: details.filter(({ value }) => value !== ""),
    acknowledge:
      acknowledgeUrl === null
        ? null
        : { label: say(isQuestion ? "label.confirm" : "label.acknowledge"), url: acknowledgeUrl },
    // Who is asked whether they may be written to need not be one who has an account.
    link: publicUrl === null || isQuestion ? null : { label: say("link"), url: publicUrl + path },
  };
}

function saidBy(
  { event, type, fact, monitor, digest, members }: Message,
  reader: Reader,
  render: (fact: Fact) => string,
): { title: string; text: string } {
  const say: Say = (code, params = {}) => render({ code, params });
  if (event === "digest") return digestWords(digest ?? NOTHING, reader, say);
  if (members && (event === "monitor.down" || event === "monitor.up")) {
    const params = { ...fact.params, names: namesInWords(members, reader.language, say) };
    const title = render({ code: `title.${event}.several`, params });
    return { title, text: render({ ...fact, code: `text.${event}.several`, params }) };
  }
  const name = monitor?.name ?? String(fact.params?.["title"] ?? "");
  if (fact.code === "notice.down_among") {
    const others = Number(fact.params?.["count"]) - 1;
    const names = say("names.more", { names: name, count: String(others) });
    return { title: say("title.monitor.down.several", { names }), text: render(fact) };
  }
  return { title: say(titleOf(event, type), { name }), text: render(fact) };
}

const NOTHING: Digest = { isSummary: false, groups: [] };

const titleOf = (event: Exclude<Message["event"], "digest">, type: Message["type"]) =>
  event === "monitor.settled" && type === "error"
    ? "title.monitor.settled.error"
    : (`title.${event}` as const);

/** The same in plain text, for what knows no other. */
export function plainText({ text, details, acknowledge, link }: Words): string {
  const lines = details.map(({ label, value }) => `${label}: ${value}`);
  if (acknowledge) lines.push(`${acknowledge.label}: ${acknowledge.url}`);
  return [text, lines.join("\n"), link?.url ?? ""].filter((part) => part !== "").join("\n\n");
}
