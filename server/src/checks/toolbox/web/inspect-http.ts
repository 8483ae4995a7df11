import { normaliseUrl } from "../../../platform/formats/url.ts";
import { inEnglish } from "../../../platform/i18n/english.ts";
import { type Code, excerpt, type MessageDescriptor, msg } from "../../../platform/i18n/message.ts";
import { phasesOf } from "../../check.ts";
import { followHops, type HopsResult } from "../../http/http-hops.ts";
import {
  followRedirect,
  leadsOn,
  newTrail,
  type RedirectTrail,
  takeCookies,
} from "../../http/http-redirects.ts";
import { type HttpRequest, requestOf } from "../../http/http-request.ts";
import { isUntimed, type Reason } from "../../reasons.ts";
import { finding, printDetails, printFindings, sortedFindings, textTable } from "../finding.ts";
import type { Finding } from "../schemas/finding.ts";
import { type HttpInspection, type HttpInspectionInput, Input, Output } from "../schemas/http-inspection.ts";
import { isNotConnected, unreached } from "../target-address.ts";
import { stopSignalOf, type ToolEnvironment, ToolError, tool } from "../tool.ts";

interface SetCookie {
  name: string;
  isSecure: boolean;
  isHttpOnly: boolean;
  sameSite: string | null;
}

const MAX_COOKIES = 50;
const MAX_NAME = 100;

/** Reads Set-Cookie headers (RFC 6265 §5.2), without their values. */
export const readSetCookies = (lines: readonly string[]): SetCookie[] =>
  lines.slice(0, MAX_COOKIES).map((line) => {
    const [pair = "", ...attributes] = line.split(";").map((part) => part.trim());
    const attribute = (name: string) =>
      attributes.find((each) => each.toLowerCase().split("=")[0]?.trim() === name);
    const sameSite = attribute("samesite")?.split("=")[1]?.trim().slice(0, MAX_NAME);
    return {
      name: (pair.split("=")[0] ?? "").slice(0, MAX_NAME).toWellFormed(),
      isSecure: attribute("secure") !== undefined,
      isHttpOnly: attribute("httponly") !== undefined,
      sameSite: sameSite ?? null,
    };
  });

interface HeaderVerdict {
  header: string;
  /** As it came; null without one. */
  value: string | null;
  state: "good" | "weak" | "missing";
  /** What that means; null where all is well. */
  what: MessageDescriptor<Code> | null;
}

const DAY_SECONDS = 86_400;
/** Half a year, less than which lists of sites that are always encrypted do not take. */
const LEAST_HSTS_DAYS = 180;

type Header = (name: string) => string | null;

/** Evaluates what an answer says to protect its visitors; HSTS counts over HTTPS only (RFC 6797 §8.1). Pure. */
export function securityHeaders(header: Header, isEncrypted: boolean): HeaderVerdict[] {
  const simple = (
    name: string,
    what: MessageDescriptor<Code>,
    fits = (value: string) => value.trim() !== "",
  ): HeaderVerdict => {
    const value = header(name);
    if (value === null) return { header: name, value, state: "missing", what };
    return fits(value)
      ? { header: name, value, state: "good", what: null }
      : { header: name, value, state: "weak", what };
  };
  return [
    ...(isEncrypted ? [transportSecurity(header("strict-transport-security"))] : []),
    simple("content-security-policy", msg("tool.csp_missing")),
    simple(
      "x-content-type-options",
      msg("tool.nosniff_missing"),
      (value) => value.trim().toLowerCase() === "nosniff",
    ),
    framing(header),
    simple("referrer-policy", msg("tool.referrer_missing"), (value) => !/unsafe-url/i.test(value)),
    simple("permissions-policy", msg("tool.permissions_missing")),
  ];
}

function transportSecurity(value: string | null): HeaderVerdict {
  const header = "strict-transport-security";
  if (value === null) return { header, value, state: "missing", what: msg("tool.hsts_missing") };
  const [, seconds = "0"] = /(?:^|;)\s*max-age\s*=\s*"?(\d{1,12})/i.exec(value) ?? [];
  const days = Math.floor(Number(seconds) / DAY_SECONDS);
  return days >= LEAST_HSTS_DAYS
    ? { header, value, state: "good", what: null }
    : { header, value, state: "weak", what: msg("tool.hsts_short", { days }) };
}

/** Either header says who may show the page in a frame; the policy wins where both do. */
function framing(header: Header): HeaderVerdict {
  const name = "x-frame-options";
  const policy = header("content-security-policy");
  const [ancestors] = /(?:^|;)\s*frame-ancestors\s[^;]*/i.exec(policy ?? "") ?? [];
  if (ancestors !== undefined) {
    return { header: name, value: ancestors.replace(/^;/, "").trim(), state: "good", what: null };
  }
  const value = header(name);
  if (value === null) return { header: name, value, state: "missing", what: msg("tool.framing_missing") };
  const isKnown = /^\s*(?:deny|sameorigin)\s*$/i.test(value);
  return {
    header: name,
    value,
    state: isKnown ? "good" : "weak",
    what: isKnown ? null : msg("tool.framing_missing"),
  };
}

interface InspectedHop {
  url: string;
  result: HopsResult;
}

interface InspectedHops {
  hops: InspectedHop[];
  /** Why it went no further; null: the last one is no redirect. */
  problem: Reason | null;
}

/** For everything together. */
const TIMEOUT_MS = 15_000;
const MAX_BODY_BYTES = 1_048_576;

/**
 * At most ten redirects, each over a new connection past the guard, so that each has its own times. Rejects
 * with the signal's reason.
 */
async function followEachHop(request: HttpRequest, environment: ToolEnvironment): Promise<InspectedHops> {
  const trail = newTrail(request);
  const endMs = performance.now() + TIMEOUT_MS;
  const hops: InspectedHop[] = [];
  for (;;) {
    const result = await sendRequest(trail, environment, Math.max(1, endMs - performance.now()));
    environment.signal.throwIfAborted();
    hops.push({ url: trail.sent.url.href, result });
    const { answer, failure } = result;
    if (answer === null || failure !== null) return { hops, problem: failure };
    if (!leadsOn(answer.statusCode, answer.header)) return { hops, problem: null };
    await takeCookies(trail, answer);
    const refusal = followRedirect(trail, answer, {});
    if (refusal !== null) return { hops, problem: refusal };
  }
}

const sendRequest = ({ sent }: RedirectTrail, { network, signal }: ToolEnvironment, timeoutMs: number) =>
  new Promise<HopsResult>((resolve, reject) => {
    followHops(
      sent,
      {
        network,
        timeoutMs: Math.ceil(timeoutMs),
        signal: stopSignalOf(signal),
        followRedirects: false,
        ignoreCertificate: false,
        bodyLimit: () => ({ bytes: MAX_BODY_BYTES, purpose: "framing", enough: null }),
      },
      resolve,
      reject,
    );
  });

const MANY_REDIRECTS = 3;

interface Seen {
  /** Each address that was requested, in order. */
  urls: readonly string[];
  statusCode: number | null;
  problem: Reason | null;
  security: readonly HeaderVerdict[];
  cookies: readonly SetCookie[];
  header: (name: string) => string | null;
}

/** What is wrong with an answer and the way to it, the most severe first. Pure. */
function httpFindings({ urls, statusCode, problem, security, cookies, header }: Seen): Finding[] {
  const found: Finding[] = [];
  if (problem !== null) found.push(finding("critical", problem));
  if (statusCode !== null && statusCode >= 400) {
    found.push(finding("critical", msg("tool.http_status", { status: statusCode })));
  }
  const isPlain = (url: string | undefined) => url?.startsWith("http:") ?? false;
  const downgraded = urls.find((url, at) => isPlain(url) && at > 0 && !isPlain(urls[at - 1]));
  if (downgraded !== undefined)
    found.push(finding("warning", msg("tool.http_downgrade", { url: excerpt(downgraded) })));
  else if (isPlain(urls.at(-1)) && statusCode !== null)
    found.push(finding("warning", msg("tool.http_plain")));
  for (const { state, what } of security) {
    if (what !== null) found.push(finding(state === "weak" ? "warning" : "info", what));
  }
  found.push(...cookies.flatMap((cookie) => cookieFinding(cookie, !isPlain(urls.at(-1)))));
  for (const name of ["server", "x-powered-by"]) {
    const value = header(name);
    if (value !== null && /\d/.test(value)) {
      found.push(finding("info", msg("tool.http_version_revealed", { header: name, value: excerpt(value) })));
    }
  }
  if (urls.length > MANY_REDIRECTS)
    found.push(finding("info", msg("tool.http_redirects", { count: urls.length - 1 })));
  return sortedFindings(found);
}

function cookieFinding({ name, isSecure, isHttpOnly, sameSite }: SetCookie, isEncrypted: boolean): Finding[] {
  const flags = [
    ...(isEncrypted && !isSecure ? ["Secure"] : []),
    ...(isHttpOnly ? [] : ["HttpOnly"]),
    ...(sameSite === null ? ["SameSite"] : []),
  ];
  if (flags.length === 0) return [];
  return [finding("info", msg("tool.http_cookie", { name: excerpt(name), flags: flags.join(", ") }))];
}

const MAX_HEADERS = 64;
const MAX_VALUE = 2_000;

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
      printDetails([
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
  const toMilliseconds = (us: number | null) => (us === null || isUntimed(failure) ? null : us / 1000);
  return {
    url,
    statusCode: answer?.statusCode ?? null,
    address: trace.address,
    protocol: trace.protocol,
    dns: toMilliseconds(dnsUs),
    connect: toMilliseconds(connectUs),
    tls: toMilliseconds(tlsUs),
    firstByte: toMilliseconds(firstByteUs),
    transfer: toMilliseconds(transferUs),
    total: toMilliseconds(totalUs),
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
