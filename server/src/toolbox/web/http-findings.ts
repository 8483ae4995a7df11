import type { Reason } from "../../check/reasons.ts";
import { excerpt, fact } from "../../texts/fact.ts";
import type { Finding } from "../../wire/toolbox/finding.ts";
import { finding, sortedFindings } from "../finding.ts";
import type { SetCookie } from "./cookies.ts";
import type { HeaderVerdict } from "./security-headers.ts";

const MANY_REDIRECTS = 3;

interface Seen {
  /** Each address that was asked, in order. */
  urls: readonly string[];
  statusCode: number | null;
  problem: Reason | null;
  security: readonly HeaderVerdict[];
  cookies: readonly SetCookie[];
  header: (name: string) => string | null;
}

/** What is wrong with an answer and the way to it, the gravest first. Pure. */
export function httpFindings({ urls, statusCode, problem, security, cookies, header }: Seen): Finding[] {
  const found: Finding[] = [];
  if (problem !== null) found.push(finding("critical", problem));
  if (statusCode !== null && statusCode >= 400) {
    found.push(finding("critical", fact("tool.http_status", { status: statusCode })));
  }
  const isPlain = (url: string | undefined) => url?.startsWith("http:") ?? false;
  const downgraded = urls.find((url, at) => isPlain(url) && at > 0 && !isPlain(urls[at - 1]));
  if (downgraded !== undefined)
    found.push(finding("warning", fact("tool.http_downgrade", { url: excerpt(downgraded) })));
  else if (isPlain(urls.at(-1)) && statusCode !== null)
    found.push(finding("warning", fact("tool.http_plain")));
  for (const { state, what } of security) {
    if (what !== null) found.push(finding(state === "weak" ? "warning" : "info", what));
  }
  found.push(...cookies.flatMap((cookie) => cookieFinding(cookie, !isPlain(urls.at(-1)))));
  for (const name of ["server", "x-powered-by"]) {
    const value = header(name);
    if (value !== null && /\d/.test(value)) {
      found.push(finding("info", fact("tool.http_version_told", { header: name, value: excerpt(value) })));
    }
  }
  if (urls.length > MANY_REDIRECTS)
    found.push(finding("info", fact("tool.http_redirects", { count: urls.length - 1 })));
  return sortedFindings(found);
}

function cookieFinding({ name, isSecure, isHttpOnly, sameSite }: SetCookie, isEncrypted: boolean): Finding[] {
  const flags = [
    ...(isEncrypted && !isSecure ? ["Secure"] : []),
    ...(isHttpOnly ? [] : ["HttpOnly"]),
    ...(sameSite === null ? ["SameSite"] : []),
  ];
  if (flags.length === 0) return [];
  return [finding("info", fact("tool.http_cookie", { name: excerpt(name), flags: flags.join(", ") }))];
}
