import { fact } from "../../texts/fact.ts";
import { Input, Output, type Rdap, type RdapInput } from "../../wire/toolbox/rdap.ts";
import { printFacts } from "../print-facts.ts";
import { type ToolEnvironment, ToolError, tool } from "../tool.ts";
import { askRegistry, type RdapAnswer } from "./ask-registry.ts";
import { serversFor } from "./bootstrap.ts";
import { listFor } from "./lists.ts";
import { type RdapQuestion, readQuestion } from "./question.ts";
import { readRegistration } from "./registration.ts";

/** Who holds a domain, a network or an AS number, by its registry (RDAP: RFC 9082, 9083, 9224). */
export const lookUpRegistration = tool({
  name: "rdap",
  title: "Registration (RDAP)",
  description:
    "Asks the registry who holds a domain, an IP address or an AS number, since when, and until when.",
  input: Input,
  subject: "query",
  output: Output,
  run: lookUp,
  message: ({ registered, query }) => (registered ? "OK" : `The registry knows nothing of ${query}.`),
  print,
});

async function lookUp({ query }: RdapInput, environment: ToolEnvironment): Promise<Rdap> {
  const startedMs = performance.now();
  const question = readQuestion(query);
  const list = await listFor(question, environment);
  const { object, server } = await askFirst(serversFor(list, question), question, environment);
  const { isSigned, ...registration } = readRegistration(object ?? {});
  return {
    query: question.name,
    kind: question.kind,
    registered: object !== null,
    ...registration,
    signed: isSigned,
    server,
    listPublished: new Date(list.publication).toISOString(),
    responseTime: Math.round((performance.now() - startedMs) * 1000) / 1000,
  };
}

/** One server after the other until one answers. Throws the first's ToolError, or one that there is none. */
async function askFirst(
  servers: readonly string[],
  question: RdapQuestion,
  environment: ToolEnvironment,
): Promise<RdapAnswer> {
  let failed: Error | undefined;
  for (const server of servers) {
    try {
      return await askRegistry(server, question, environment);
    } catch (error) {
      environment.signal.throwIfAborted();
      failed ??= error as Error;
    }
  }
  throw failed ?? new ToolError(unlisted(question), "query");
}

const unlisted = ({ kind, name }: RdapQuestion) =>
  kind === "domain"
    ? fact("tool.rdap_none", { suffix: name.slice(name.indexOf(".") + 1) })
    : fact("tool.rdap_unassigned", { query: name });

function print({ query, registered, server, ...found }: Rdap): string {
  if (!registered) return `${server} knows nothing of ${query}.\n`;
  return printFacts([
    ["Name", found.name ?? query],
    ["Range", found.range],
    ["Holder", found.organization],
    ["Country", found.country],
    ["Registrar", found.registrar],
    ...found.events.map(({ action, date }) => [action, date.slice(0, 10)] as const),
    ["Status", found.status.join(", ")],
    ["Name servers", found.nameServers.join(", ")],
    ["DNSSEC", found.signed === null ? null : found.signed ? "signed" : "not signed"],
    ["Abuse", found.abuseContact],
    ["Registry", server],
  ]);
}
