import { requestOf } from "../../check/http-request.ts";
import { isUntimed } from "../../check/reasons.ts";
import { phasesOf } from "../../check/trace.ts";
import { normaliseUrl } from "../../monitor/url.ts";
import { inEnglish } from "../../texts/english.ts";
import {
  type HttpInspection,
  type HttpInspectionInput,
  Input,
  Output,
} from "../../wire/toolbox/http-inspection.ts";
import { printFindings } from "../finding.ts";
import { printFacts } from "../print-facts.ts";
import { textTable } from "../text-table.ts";
import { type ToolEnvironment, ToolError, tool } from "../tool.ts";
import { isNotConnected, unreached } from "../unreached.ts";
import { readSetCookies } from "./cookies.ts";
import { followEachHop, type InspectedHop } from "./follow-hops.ts";
import { httpFindings } from "./http-findings.ts";
import { securityHeaders } from "./security-headers.ts";

const MAX_HEADERS = 64;
const MAX_VALUE = 2_000;

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
  { url, method = "GET" }: HttpInspectionInput,
  environment: ToolEnvironment,
): Promise<HttpInspection> {
  const address = normaliseUrl(url);
  if (!address.ok) throw new ToolError(address.problem, "url");
  const startedMs = performance.now();
  const { hops, problem } = await followEachHop(requestOf({ url: address.url, method }), environment);
  const totalMs = performance.now() - startedMs;
  const last = hops.at(-1);
  if (last === undefined || (hops.length === 1 && isNotConnected(problem))) throw unreached(problem, "url");
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
      fact: what as HttpInspection["security"][number]["fact"],
    })),
    headers: shownHeaders(answer?.headers() ?? new Map()),
    cookies,
  };
}

const rounded = (ms: number) => Math.round(ms * 1000) / 1000;

function shownHop({
  url,
  result: { answer, trace, totalMs, failure },
}: InspectedHop): HttpInspection["hops"][number] {
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

const shownHeaders = (headers: ReadonlyMap<string, string>): HttpInspection["headers"] =>
  [...headers]
    .filter(([name]) => name !== "set-cookie")
    .slice(0, MAX_HEADERS)
    .map(([name, value]) => ({ name: shownValue(name), value: shownValue(value) }));
