import { type Static, Type } from "typebox";
import { requestOf } from "../../check/http-request.ts";
import { isUntimed } from "../../check/reasons.ts";
import { phasesOf } from "../../check/trace.ts";
import { normaliseUrl } from "../../monitor/url.ts";
import { inEnglish } from "../../texts/english.ts";
import { Fact } from "../../wire/fact.ts";
import { Finding, printFindings } from "../finding.ts";
import { printFacts } from "../print-facts.ts";
import { textTable } from "../text-table.ts";
import { type ToolEnvironment, ToolError, tool } from "../tool.ts";
import { unreached } from "../unreached.ts";
import { readSetCookies } from "./cookies.ts";
import { followEachHop, type InspectedHop } from "./follow-hops.ts";
import { httpFindings } from "./http-findings.ts";
import { securityHeaders } from "./security-headers.ts";

const MAX_HEADERS = 64;
const MAX_VALUE = 2_000;

const Input = Type.Object(
  {
    url: Type.String({
      minLength: 1,
      maxLength: 2048,
      description: "The address to look at; without a scheme, https.",
      examples: ["https://example.com/"],
    }),
    method: Type.Optional(
      Type.Enum(["GET", "HEAD"], { default: "GET", description: "The request's method." }),
    ),
  },
  { title: "HttpInspectionRequest" },
);

const orNull = <T extends Type.TSchema>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description });
const phase = (description: string) => orNull(Type.Number(), description);

const Hop = Type.Object({
  url: Type.String({ description: "What was asked for." }),
  statusCode: orNull(Type.Integer(), "What was answered; null without an answer."),
  address: orNull(Type.String(), "The address that was connected to."),
  protocol: orNull(Type.String(), "What was spoken."),
  dns: phase("Milliseconds for finding the address."),
  connect: phase("Milliseconds for connecting."),
  tls: phase("Milliseconds for the TLS handshake."),
  firstByte: phase("Milliseconds from the request to the answer's first byte."),
  transfer: phase("Milliseconds from there to its last."),
  total: phase("Milliseconds for all of it."),
});

const Output = Type.Object(
  {
    url: Type.String({ description: "What was asked for." }),
    finalUrl: Type.String({ description: "Where the redirects ended." }),
    statusCode: orNull(Type.Integer(), "Of the last answer; null without one."),
    totalTime: phase("Milliseconds for everything together."),
    bodyBytes: orNull(Type.Integer(), "How many bytes of the last answer's body were read, at most 1 MiB."),
    bodyCut: Type.Boolean({ description: "Whether it is longer than that." }),
    hops: Type.Array(Hop, { description: "Each request: the first, and one for each redirect." }),
    findings: Type.Array(Finding, { description: "What is wrong, the gravest first." }),
    security: Type.Array(
      Type.Object({
        header: Type.String({ description: "A header that protects visitors." }),
        value: orNull(Type.String(), "As it came; null without one."),
        state: Type.Enum(["good", "weak", "missing"], { description: "What it is worth." }),
        text: orNull(Type.String(), "What that means, in a sentence; null where all is well."),
        fact: Fact,
      }),
    ),
    headers: Type.Array(
      Type.Object({
        name: Type.String({ description: "In lower case." }),
        value: Type.String({ description: "Its value." }),
      }),
      { description: "Of the last answer, without cookies." },
    ),
    cookies: Type.Array(
      Type.Object({
        name: Type.String({ description: "Its name; values are not shown." }),
        isSecure: Type.Boolean({ description: "Sent over HTTPS only." }),
        isHttpOnly: Type.Boolean({ description: "Out of reach for scripts." }),
        sameSite: orNull(
          Type.String(),
          "Whether it goes along from other sites; null where that is not said.",
        ),
      }),
      { description: "Cookies that the last answer sets." },
    ),
  },
  { title: "HttpInspection" },
);

type Output = Static<typeof Output>;

/** What a web server answers, how long each part takes, and what its answer lacks. */
export const inspectHttp = tool({
  name: "http-inspection",
  title: "HTTP inspection",
  description:
    "Requests an address and follows its redirects: where the time goes, which headers come, and what is missing among them.",
  input: Input,
  subject: "url",
  output: Output,
  run: inspect,
  message: ({ findings }) => findings.find(({ severity }) => severity === "critical")?.text ?? "OK",
  print: ({ hops, findings, security, headers, ...found }) =>
    [
      textTable(
        ["Status", "DNS", "Connect", "TLS", "First byte", "Transfer", "Total ms", "Address"],
        hops.map((hop) => [
          hop.statusCode,
          hop.dns,
          hop.connect,
          hop.tls,
          hop.firstByte,
          hop.transfer,
          hop.total,
          hop.url,
        ]),
      ),
      printFacts([
        [
          "Body",
          found.bodyBytes === null ? null : `${found.bodyBytes} bytes${found.bodyCut ? " and more" : ""}`,
        ],
      ]),
      textTable(
        ["Security header", "", "Value"],
        security.map(({ header, state, value }) => [header, state, value]),
      ),
      textTable(
        ["Header", "Value"],
        headers.map(({ name, value }) => [name, value]),
      ),
      printFindings(findings),
    ]
      .filter((part) => part !== "")
      .join("\n"),
});

async function inspect(
  { url, method = "GET" }: Static<typeof Input>,
  environment: ToolEnvironment,
): Promise<Output> {
  const address = normaliseUrl(url);
  if (!address.ok) throw new ToolError(address.problem, "url");
  const startedMs = performance.now();
  const { hops, problem } = await followEachHop(requestOf({ url: address.url, method }), environment);
  const totalMs = performance.now() - startedMs;
  const [first] = hops;
  const last = hops.at(-1);
  if (first === undefined || last === undefined || first.result.trace.address === null)
    throw unreached(problem, "url");
  const { answer } = last.result;
  const header = (name: string) => answer?.header(name) ?? null;
  const security = answer === null ? [] : securityHeaders(header, last.url.startsWith("https:"));
  const cookies = readSetCookies(answer?.setCookies() ?? []);
  const statusCode = answer?.statusCode ?? null;
  const urls = hops.map((hop) => hop.url);
  return {
    url: address.url,
    finalUrl: last.url,
    statusCode,
    totalTime: isUntimed(problem) ? null : rounded(totalMs),
    bodyBytes: answer === null ? null : (answer.body?.arrivedBytes ?? 0),
    bodyCut: answer?.body?.cut ?? false,
    hops: hops.map(shownHop),
    findings: httpFindings({ urls, statusCode, problem, security, cookies, header }),
    security: security.map(({ value, what, ...same }) => ({
      ...same,
      value: value && shownValue(value),
      text: what && inEnglish(what),
      fact: what as Output["security"][number]["fact"],
    })),
    headers: shownHeaders(answer?.headers() ?? new Map()),
    cookies,
  };
}

const rounded = (ms: number) => Math.round(ms * 1000) / 1000;

function shownHop({
  url,
  result: { answer, trace, totalMs, failure },
}: InspectedHop): Output["hops"][number] {
  const { dnsUs, connectUs, tlsUs, firstByteUs, transferUs, totalUs } = phasesOf(trace, totalMs);
  const told = (us: number | null) => (us === null || isUntimed(failure) ? null : us / 1000);
  return {
    url,
    statusCode: answer?.statusCode ?? null,
    address: trace.address,
    protocol: trace.protocol,
    dns: told(dnsUs),
    connect: told(connectUs),
    tls: told(tlsUs),
    firstByte: told(firstByteUs),
    transfer: told(transferUs),
    total: told(totalUs),
  };
}

/** Foreign text: bounded, and without what a terminal or a page would obey. */
const shownValue = (value: string) =>
  value
    .slice(0, MAX_VALUE)
    .toWellFormed()
    .replace(/\p{Cc}/gu, " ");

const shownHeaders = (headers: ReadonlyMap<string, string>): Output["headers"] =>
  [...headers]
    .filter(([name]) => name !== "set-cookie")
    .slice(0, MAX_HEADERS)
    .map(([name, value]) => ({ name: shownValue(name), value: shownValue(value) }));
