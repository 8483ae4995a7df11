import { type Fact, fact } from "../../texts/fact.ts";
import { LANGUAGES, type Language } from "../../texts/languages.ts";
import { readAddress, type SubscriberAddress } from "./address.ts";
import type { ListedAddress } from "./read-list.ts";

/** Of what is wrong, so much is told. */
const MAX_TOLD = 40;

/** A mailbox of a list, and what the list says that it hears; undefined: nothing. */
export interface ListedMailbox extends SubscriberAddress {
  language: Language | undefined;
  components: string[] | undefined;
}

/** A line that is left out, and why. */
export interface ListProblem {
  line: number;
  problem: Fact;
}

/** The mailboxes of a list by what tells them apart, and the lines that are left out. `known`: uuids of what the page shows. */
export function judgeList(
  lines: readonly ListedAddress[],
  known: ReadonlySet<string>,
): { read: Map<string, ListedMailbox>; problems: ListProblem[] } {
  const read = new Map<string, ListedMailbox>();
  const problems: ListProblem[] = [];
  for (const listed of lines) {
    const judged = judge(listed, known);
    if ("problem" in judged) problems.push({ line: listed.line, problem: judged.problem });
    else read.set(judged.hash, judged);
  }
  return { read, problems };
}

function judge(listed: ListedAddress, known: ReadonlySet<string>): ListedMailbox | { problem: Fact } {
  const address = readAddress("email", listed.text, "all");
  if ("problem" in address) return address;
  const language = LANGUAGES.find((one) => one === listed.language.toLowerCase());
  if (listed.language !== "" && !language)
    return { problem: fact("subscriber.column_language", { language: told(listed.language) }) };
  const chosen = new Set(listed.components.toLowerCase().split(/\s+/).filter(Boolean));
  const unknown = [...chosen].find((uuid) => !known.has(uuid));
  if (unknown !== undefined) return { problem: fact("subscriber.column_components", { id: told(unknown) }) };
  return { ...address, language, components: chosen.size === 0 ? undefined : [...chosen] };
}

const told = (text: string): string => text.slice(0, MAX_TOLD);
