import { type Static, Type } from "typebox";
import { fact } from "../../texts/fact.ts";
import { printFacts } from "../print-facts.ts";
import { type ToolEnvironment, ToolError, tool } from "../tool.ts";
import { askRegistry, type RdapAnswer } from "./ask-registry.ts";
import { serversFor } from "./bootstrap.ts";
import { listFor } from "./lists.ts";
import { type RdapQuestion, readQuestion } from "./question.ts";
import { readRegistration } from "./registration.ts";

const Input = Type.Object(
  {
    query: Type.String({
      minLength: 1,
      maxLength: 300,
      description: "A domain, an IP address, or an AS number such as AS64496.",
      examples: ["example.com"],
    }),
  },
  { title: "RdapRequest" },
);

const text = (description: string, example?: string) =>
  Type.Union([Type.String(), Type.Null()], { description, ...(example && { examples: [example] }) });

const Output = Type.Object(
  {
    query: Type.String({
      description: "What the registry was asked for: of a longer name, its registrable part.",
    }),
    kind: Type.Enum(["domain", "ip", "as"], { description: "What that is." }),
    registered: Type.Boolean({
      description: "Whether the registry knows it. False only where the registry says so.",
    }),
    name: text("As the registry calls it."),
    handle: text("The registry's own identifier."),
    range: text("Of an address or an AS number: the range that it is in.", "192.0.2.0 – 192.0.2.255"),
    status: Type.Array(Type.String(), { description: "What may be done with it, in the registry's words." }),
    registrar: text("Who registered it for its holder."),
    organization: text("Whose it is, where the registry says so."),
    country: text("The holder's country, where the registry says so."),
    abuseContact: text("Whom to write to about abuse."),
    events: Type.Array(
      Type.Object({
        action: Type.String({
          description: "What happened, or will.",
          examples: ["registration", "expiration"],
        }),
        date: Type.String({ format: "date-time", description: "When." }),
      }),
    ),
    nameServers: Type.Array(Type.String(), { description: "Of a domain." }),
    signed: Type.Union([Type.Boolean(), Type.Null()], {
      description: "Whether its delegation is signed (DNSSEC); null where that is not said.",
    }),
    server: Type.String({ description: "The server that answered." }),
    listPublished: Type.String({
      format: "date-time",
      description: "Of what day IANA's list of registries is that named the server.",
    }),
    responseTime: Type.Number({ description: "How many milliseconds it took." }),
  },
  { title: "Rdap" },
);

type Output = Static<typeof Output>;

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

async function lookUp({ query }: Static<typeof Input>, environment: ToolEnvironment): Promise<Output> {
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

function print({ query, registered, server, ...found }: Output): string {
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
